import { DEFAULT_ACCOUNT_ID } from "../../sessions/keys/account-id.ts";
import { type ConfigPath, findAtPath, isPlainObject } from "../problems/config-path.ts";
import { type ChannelManifest, listSwitches } from "../shapes/channel-manifest.ts";
import { type Environment, findForm, findVariable, parseEnvironmentValue } from "./environment-value.ts";

/** One value that a variable gives to a configuration. */
export interface EnvironmentValue {
  readonly path: ConfigPath;
  readonly name: string;
  readonly text: string;
  readonly value: unknown;
  readonly secret: boolean;
}

/**
 * Decides what a channel's variables give. They fill what the file leaves open in the account `default`, or in the only
 * one there is; without any account they make `default`, but only when the switching variables are set. Where the file
 * has several accounts and none is called `default`, nobody can say whose token it is, and they give nothing.
 */
export function decideChannelEnvironment(
  input: unknown,
  manifest: ChannelManifest,
  env: Environment,
): readonly EnvironmentValue[] {
  const account = findAccount(input, manifest, env);
  if (account === undefined) return [];
  return Object.entries(manifest.env).flatMap(([name, { key, secret, list }]) => {
    const path = ["channels", manifest.channel, "accounts", account, key];
    const text = findVariable(env, name);
    if (text === undefined || findAtPath(input, path) !== undefined) return [];
    return [{ path, name, text, value: parseEnvironmentValue(text, list ? "list" : findForm(path)), secret }];
  });
}

function findAccount(input: unknown, manifest: ChannelManifest, env: Environment): string | undefined {
  const accounts = findAtPath(input, ["channels", manifest.channel, "accounts"]);
  const names = isPlainObject(accounts) ? Object.keys(accounts) : [];
  if (names.includes(DEFAULT_ACCOUNT_ID)) return DEFAULT_ACCOUNT_ID;
  if (names.length > 0) return names.length === 1 ? names[0] : undefined;
  const switches = listSwitches(manifest);
  const isOn = switches.length > 0 && switches.every((name) => findVariable(env, name) !== undefined);
  return isOn ? DEFAULT_ACCOUNT_ID : undefined;
}
