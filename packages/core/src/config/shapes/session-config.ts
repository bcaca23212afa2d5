import { parseIdentityLinks } from "../../sessions/keys/identity-links.ts";
import { buildRecord, type SessionConfig } from "../config.ts";
import type { ConfigPath } from "../problems/config-path.ts";
import type { ConfigProblem } from "../problems/config-problem.ts";

/** Builds the session section and checks its links: each person for himself, then all of them against each other. */
export function buildSession(input: SessionConfig): {
  readonly session: SessionConfig;
  readonly problems: readonly ConfigProblem[];
} {
  const persons = Object.entries(input.identityLinks);
  const alone = persons.flatMap(([person, entries]) =>
    checkLinks({ [person]: entries }, ["session", "identityLinks", person]),
  );
  const problems = alone.length > 0 ? alone : checkLinks(input.identityLinks, ["session", "identityLinks"]);
  return { session: { ...input, identityLinks: buildRecord(persons) }, problems };
}

/** The form of the message that `parseIdentityLinks` throws. */
const LINKS_MESSAGE = /^reading .+?: (?<wrong>.+), received (?<received>.+); (?<cure>.+)$/;

function checkLinks(links: unknown, path: ConfigPath): readonly ConfigProblem[] {
  try {
    parseIdentityLinks(links);
    return [];
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const { wrong = message, received, cure = "correct it" } = LINKS_MESSAGE.exec(message)?.groups ?? {};
    return [{ path, wrong, ...(received === undefined ? {} : { received }), cure }];
  }
}
