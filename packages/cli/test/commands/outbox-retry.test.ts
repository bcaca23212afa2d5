import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, test } from "vitest";
import { outboxRetry } from "../../src/commands/outbox-retry.ts";
import { makeFolder, stateDirOf } from "../bin/banyan-process.ts";

const KEY = "agent:main:irc:dm:ada";
const ADDRESS = "irc/default/dm/ada";

/** A configuration whose state has these deliveries, each of which was sent. */
async function writeSent(...ids: readonly string[]): Promise<string> {
  const folder = makeFolder();
  const stateDir = stateDirOf(folder);
  const store = await openSqliteStore({ stateDir });
  const session = { key: KEY, sessionId: "s", agentId: "main", file: "s.jsonl", expectRevision: 0, body: "{}" };
  const item = { lane: KEY, dedupe: "1", nativeId: "1", kind: "message", address: ADDRESS, body: "{}" } as const;
  const row = { part: 0, of: 1, kind: "notice", channel: "irc", account: "default", address: ADDRESS } as const;
  const deliveries = ids.map((id) => {
    const own = { id, deliveryId: id, chat: ADDRESS, policy: "at-least-once", body: "{}" } as const;
    return { ...row, ...own };
  });
  await store.commit({
    step: "receive",
    account: { channel: "irc", account: "default" },
    items: [{ ...item, session, laneCap: 10, deliveries }],
  });
  for (const id of ids) {
    await store.commit({ step: "attempt", id, owner: "gateway", attempt: 1 });
    await store.commit({ step: "settle", id, attempt: 1, outcome: { state: "sent", platformId: id } });
  }
  await store.close();
  const config = join(folder, "banyan.config.json");
  writeFileSync(config, JSON.stringify({ stateDir }));
  return config;
}

test("what was sent meanwhile keeps no other back, and is told at the end", async () => {
  const config = await writeSent("one", "two");
  await expect(outboxRetry(undefined, { config, all: true, state: "sent" })).rejects.toMatchObject({
    code: "delivery_unchanged",
    message: expect.stringMatching(/^retrying deliveries: 2 of 2 were left as they are; the first: The delivery one /),
  });
});
