import { randomUUID } from "node:crypto";
import type { Store } from "@banyan/store";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";

/** A session in which these accounts (`channel:id`) have written. */
export async function writeIn(store: Store, key: string, ...accounts: readonly string[]): Promise<void> {
  const [, agentId = "main"] = key.split(":");
  const sessionId = randomUUID();
  const session = buildSessionWrite({ key, agentId, revision: 0 }, openSessionEntry({ key, sessionId, now: 1_000 }));
  const items = accounts.map((account, at) => {
    const [channel = "", peer = ""] = account.split(":");
    const rest = { nativeId: "n", kind: "message", address: "none", body: "{}", laneCap: 99 } as const;
    return { ...rest, lane: key, dedupe: `${sessionId} ${at}`, session, writer: { channel, peer } };
  });
  await store.commit({ step: "receive", account: { channel: "irc", account: "default" }, items });
}
