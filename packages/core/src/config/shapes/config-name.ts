import { isAccountId, normalizeAccountId } from "../../sessions/keys/account-id.ts";
import { normalizeAgentId } from "../../sessions/keys/agent-id.ts";
import { isChannelId, normalizeChannelId } from "../../sessions/keys/channel-id.ts";
import { isPlainName } from "../../sessions/keys/plain-name.ts";
import type { ConfigPath } from "../problems/config-path.ts";
import { type ConfigProblem, formatReceived, mayQuote } from "../problems/config-problem.ts";

export type NameKind = "agent" | "account" | "channel";

const FORMS: Readonly<Record<NameKind, string>> = {
  agent: "begin with a-z or 0-9, then up to 63 of a-z, 0-9, _ and -",
  account: "begin with a-z or 0-9, then up to 63 of a-z, 0-9, _ and -, and use no reserved word",
  channel: "write the id that the plugin declares: a letter, then up to 31 of a-z, 0-9 and -",
};

/**
 * Checks that a name in the configuration is written as it stands in session keys, so that what one reads is what one
 * gets and two spellings never mean one thing.
 */
export function checkName(kind: NameKind, name: string, path: ConfigPath): readonly ConfigProblem[] {
  if (isName(kind, name)) return [];
  const meant = mayQuote(name) ? findMeantName(kind, name) : undefined;
  const cure = meant === undefined ? FORMS[kind] : `write "${meant}"`;
  return [{ path, wrong: `not a name for an ${kind}`.replace("an c", "a c"), received: formatReceived(name), cure }];
}

function isName(kind: NameKind, name: string): boolean {
  if (kind === "agent") return isPlainName(name);
  return kind === "account" ? isAccountId(name) : isChannelId(name);
}

function findMeantName(kind: NameKind, name: string): string | undefined {
  try {
    if (kind === "agent") return normalizeAgentId(name);
    return kind === "account" ? normalizeAccountId(name) : normalizeChannelId(name);
  } catch {
    return undefined;
  }
}
