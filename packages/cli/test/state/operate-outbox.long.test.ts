import { parseConfig } from "@banyan/core";
import type { NewDelivery } from "@banyan/store";
import { openSqliteStore } from "@banyan/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { operateOutbox } from "../../src/state/operate-outbox.ts";
import { readState } from "../../src/state/read-state.ts";
import { makeFolder, stateDirOf } from "../bin/banyan-process.ts";

const KEY = "agent:main:irc:dm:ada";
const ADDRESS = "irc/default/dm/ada";

/** A state directory with two messages for a channel that is no longer configured, so that they wait. */
async function makeState() {
  const folder = makeFolder();
  const stateDir = stateDirOf(folder);
  const store = await openSqliteStore({ stateDir });
  const session = { key: KEY, sessionId: "s", agentId: "main", file: "s.jsonl", expectRevision: 0, body: "{}" };
  const item = { lane: KEY, dedupe: "1", nativeId: "1", kind: "message", address: ADDRESS, body: "{}" } as const;
  await store.commit({
    step: "receive",
    account: { channel: "irc", account: "default" },
    items: [{ ...item, session, laneCap: 10, deliveries: [delivery("one"), delivery("two")] }],
  });
  await store.close();
  return { folder, config: parseConfig({ stateDir }, { folder }) };
}

function delivery(id: string): NewDelivery {
  return {
    id,
    deliveryId: id,
    part: 0,
    of: 1,
    kind: "notice",
    channel: "irc",
    account: "default",
    address: ADDRESS,
    chat: ADDRESS,
    policy: "at-least-once",
    body: JSON.stringify({ text: id }),
  };
}

describe.each(["beside a gateway", "without one"])("%s", (where) => {
  test("a message is dropped and taken up again", async () => {
    const { folder, config } = await makeState();
    if (where === "beside a gateway") {
      const env = { BANYAN_STATE_DIR: config.stateDir, BANYAN_PORT: "0", BANYAN_LOG_LEVEL: "silent" };
      const open = await openGateway({ cwd: folder, env });
      onTestFinished(() => open.gateway.stop());
    }
    const stateOf = (id: string) => readState(config, async (read) => (await read.delivery(id))?.state);
    expect(await operateOutbox(config, (outbox) => outbox.drop("on"))).toEqual({ id: "one" });
    expect(await stateOf("one")).toBe("undeliverable");
    expect(await operateOutbox(config, (outbox) => outbox.retry("one"))).toEqual({ id: "one" });
    expect(await stateOf("one")).toBe("pending");
    await expect(operateOutbox(config, (outbox) => outbox.drop("zzz"))).rejects.toThrow(/No delivery matches "zzz"/);
  });
});

test("a memory store cannot be looked into from outside", async () => {
  const folder = makeFolder();
  const config = parseConfig({ store: { driver: "memory" } }, { folder });
  await expect(operateOutbox(config, (outbox) => outbox.drop("x"))).rejects.toMatchObject({
    code: "state_dir_unusable",
  });
});
