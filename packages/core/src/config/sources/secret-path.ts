import { type ConfigPath, isPlainObject } from "../problems/config-path.ts";

/** Keys that hold a secret whatever a plugin says of them. */
export const SECRET_NAME: RegExp = /token|secret|passw|passphrase|credential|api_?key|private_?key/i;

/** How many steps of a path are names that people choose and say nothing of what is below: `channels.irc.accounts.work`. */
const NAME_STEPS: Readonly<Record<string, number>> = { server: 1, channels: 4, plugins: 2, providers: 2 };

/**
 * Whether a path names a secret by its keys: `server.token`, `channels.irc.accounts.default.sasl.password`. What stands
 * where an account, a channel or a provider should be is taken for one too: a token pasted a level too high.
 */
export function isSecretName(path: ConfigPath): boolean {
  const steps = NAME_STEPS[String(path[0])];
  if (steps === undefined) return false;
  if ((path[0] === "channels" || path[0] === "providers") && path.length <= steps) return true;
  return path.slice(steps).some((key) => typeof key === "string" && SECRET_NAME.test(key));
}

/** Every text and number, written as text, with its path. */
export function* listScalars(value: unknown, path: ConfigPath = []): Generator<readonly [ConfigPath, string]> {
  if (typeof value === "string" || typeof value === "number") yield [path, String(value)];
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* listScalars(item, [...path, at]);
  else if (isPlainObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* listScalars(item, [...path, key]);
  }
}
