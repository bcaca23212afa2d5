import fc from "fast-check";
import { normalizeAccountId } from "../../../src/sessions/keys/account-id.ts";
import type { DmScope } from "../../../src/sessions/keys/dm-scope.ts";
import { encodeSegment } from "../../../src/sessions/keys/key-segment.ts";
import type { AgentPeerSessionKeyInput } from "../../../src/sessions/keys/session-key.ts";
import type { SessionKeyParts } from "../../../src/sessions/keys/session-key-parts.ts";

/** Any 16-bit units, lone surrogates too. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
  .map((units) => String.fromCharCode(...units));

const GRAMMAR_WORDS: readonly string[] = [
  ..."agent main dm direct group channel thread subagent acp cron run hook global unknown person".split(" "),
  ..."telegram discord work default alice %61lice x 1 A a .. %3A %3a %zz % - _ é".split(" "),
  "",
  " ",
];

/** Texts that look like keys: right and wrong words of the grammar in any order. */
export const keyLikeText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("agent:main:", "agent:a:", "AGENT:Main:", "agent:", ""),
    fc.array(fc.constantFrom(...GRAMMAR_WORDS), { maxLength: 7 }),
  )
  .map(([start, words]) => `${start}${words.join(":")}`);

/** Ids a platform could send, among them those that would split or forge a key if they were not encoded. */
export const platformId: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ..."1 2 A a alice Alice %61lice %41 dm main thread subagent dm:1 1:thread:2 work:dm:1 :main %3A : .. é +1".split(
      " ",
    ),
    "x y",
    "\u0000",
  ),
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).filter((id) => id.trim() !== "" && id.isWellFormed()),
);

const agentName: fc.Arbitrary<string> = fc.constantFrom("main", "coding", "Ops Team", "a_b", "subagent");

/** Who writes where, without the settings that decide the session. */
export type Identity = Omit<AgentPeerSessionKeyInput, "dmScope" | "identityLinks">;

export const identity: fc.Arbitrary<Identity> = fc.record(
  {
    agentId: agentName,
    channel: fc.constantFrom("telegram", "discord", "a", "a-b"),
    accountId: fc.constantFrom("default", "work", "My Bot", "a-b", "a"),
    peerKind: fc.constantFrom("dm", "group", "channel"),
    peerId: platformId,
    threadId: platformId,
  },
  { requiredKeys: ["agentId", "channel", "peerKind", "peerId"] },
);

/** Parts of every form that a key of ours has. */
export const keyParts: fc.Arbitrary<SessionKeyParts> = fc.oneof(
  fc.record({ agentId: fc.constantFrom("main", "a-1"), kind: fc.constant("main") }),
  fc.record({
    agentId: fc.constantFrom("main", "a-1"),
    kind: fc.constantFrom("subagent", "acp", "hook"),
    id: platformId.map((id) => encodeSegment(id)),
  }),
  fc.record(
    {
      agentId: fc.constantFrom("main", "a-1"),
      kind: fc.constant("cron"),
      id: platformId.map((id) => encodeSegment(id)),
      run: platformId.map((id) => encodeSegment(id)),
    },
    { requiredKeys: ["agentId", "kind", "id"] },
  ),
);

/**
 * The spec's own words for which identities share a session, as a text to compare:
 * everything that must keep two of them apart under a scope, and nothing else.
 */
export function describeSession(who: Identity, scope: DmScope, persons: Readonly<Record<string, string>>): string {
  const agent = who.agentId === "Ops Team" ? "ops-team" : who.agentId;
  const account = normalizeAccountId(who.accountId);
  const peer = who.peerId.trim();
  if (who.peerKind !== "dm") return JSON.stringify([agent, who.peerKind, who.channel, peer, who.threadId?.trim()]);
  if (who.threadId) return JSON.stringify([agent, "thread", who.channel, account, peer, who.threadId.trim()]);
  if (scope === "main") return JSON.stringify([agent, "main"]);
  const person = persons[`${who.channel}:${peer}`];
  if (person !== undefined) return JSON.stringify([agent, "person", person]);
  const place = {
    "per-peer": [],
    "per-channel-peer": [who.channel],
    "per-account-channel-peer": [who.channel, account],
  };
  return JSON.stringify([agent, "dm", ...place[scope], peer]);
}
