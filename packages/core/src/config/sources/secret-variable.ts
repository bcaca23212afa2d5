import type { Environment } from "./environment-value.ts";
import { SECRET_NAME } from "./secret-path.ts";

/** Shorter ones are words and flags as well: taken for secrets they would blank what people write. */
const LEAST_CHARS = 12;
/** So long a word is no word. */
const LONG_CHARS = 20;
/** Where a secret lies, or whom it is for. */
const PLACE = /^(?:[./~]|[a-z][a-z0-9+.-]*:\/\/[^@]*$)/iu;

/**
 * What stands in the environment under a secret's name, whether or not the configuration takes it: programs of agents are
 * given some of it, and could say it. Pure.
 */
export function listSecretVariables(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const text = value.trim();
    return SECRET_NAME.test(name) && looksSecret(text) ? [text] : [];
  });
}

function looksSecret(text: string): boolean {
  if (text.length < LEAST_CHARS || /\s/u.test(text) || PLACE.test(text)) return false;
  return /\d/u.test(text) || text.length >= LONG_CHARS;
}
