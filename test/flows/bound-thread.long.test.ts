import { randomUUID } from "node:crypto";
import { buildSessionFileName } from "@banyan/core";
import { type Completion, formatAddress } from "@banyan/plugin-sdk";
import type { NewDelivery, Store } from "@banyan/store";
import { openSqliteStore } from "@banyan/store-sqlite";
import { expect, test } from "vitest";
import { type CanopyOptions, type CanopyTown, openCanopyTown } from "../stage/canopy-town.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createListener } from "../stage/scripted-agent.ts";

const CHILD = "agent:main:subagent:5f0c";
const ADA_KEY = "agent:main:canopy:dm:ada";
const DM = formatAddress({ channel: "canopy", account: "default", kind: "dm", chat: "ada" });

const openTown = (options: CanopyOptions = {}) => openCanopyTown({ ...createListener(), ...options });

/** Stops the gateway, changes its store, and starts it again. */
async function whileAway({ grove }: CanopyTown, change: (store: Store) => Promise<unknown>): Promise<void> {
  await grove.stop();
  const store = await openSqliteStore({ stateDir: grove.stateDir });
  await change(store);
  await store.close();
  await grove.restart();
}

/** Parts of a message that tells of a run's end, as they stand in the outbox. */
async function announce(store: Store, deliveryId: string, ...texts: readonly string[]): Promise<void> {
  const completion: Completion = {
    runId: "r1",
    childSessionKey: CHILD,
    task: "count",
    outcome: "done",
    result: "3",
    durationMs: 1,
  };
  const announcement = { runId: "r1", childSessionKey: CHILD, completion, alsoRunIds: [] };
  const deliveries = texts.map(
    (text, part): NewDelivery => ({
      id: `${deliveryId}.${part}`,
      deliveryId,
      part,
      of: texts.length,
      kind: "completion",
      channel: "canopy",
      account: "default",
      address: DM,
      chat: DM,
      sessionKey: ADA_KEY,
      policy: "effectively-once",
      runId: "r1",
      body: JSON.stringify({ text, announcement }),
    }),
  );
  const place = { lane: "", nativeId: "n", kind: "message", address: "none", body: "{}", laneCap: 0 } as const;
  const item = { ...place, dedupe: deliveryId, refused: "none", deliveries };
  const stored = await store.commit({
    step: "receive",
    account: { channel: "canopy", account: "default" },
    items: [item],
  });
  expect(stored.status).toBe("done");
}

/** A child's session, and the thread of the grove that belongs to it. */
async function bindThread(store: Store, thread: string): Promise<void> {
  const sessionId = randomUUID();
  const file = buildSessionFileName(CHILD, sessionId);
  const body = JSON.stringify({ sessionId, sessionFile: file, updatedAt: Date.now() });
  const session = { key: CHILD, sessionId, agentId: "main", file, expectRevision: 0, body };
  await store.commit({ step: "write_session", writeId: sessionId, session });
  const address = formatAddress({ channel: "canopy", account: "default", kind: "group", chat: "grove", thread });
  const binding = { id: "b1", address, sessionKey: CHILD, kind: "thread" } as const;
  const bound = await store.commit({ step: "bind", address, binding, timers: [], endTimers: [] });
  expect(bound.status).toBe("done");
}

test("what tells of a run's end is announced by the account's own connection, part for part", async () => {
  const town = await openTown();
  await whileAway(town, (store) => announce(store, "d1", "There are 3 trees,", "and no birds."));
  const ada = town.person("ada");
  expect(await ada.hears("There are 3 trees,")).toMatchObject({ key: "d1.0", kind: "completion", repeats: 0 });
  expect(await ada.hears("and no birds.")).toMatchObject({ key: "d1.1", kind: "completion", repeats: 0 });
  await ada.says("thanks");
  expect(await ada.hears("heard: thanks")).toMatchObject({ kind: "reply" });
  await town.grove.rests();
  expect(town.textsAt("ada")).toEqual(["There are 3 trees,", "and no birds.", "heard: thanks"]);
});

test("a stranger's own tap announces it in its own form instead, and leaves replies alone", async () => {
  const town = await openTown({ account: { taps: ["announce"] } });
  await whileAway(town, (store) => announce(store, "d1", "There are 3 trees."));
  const ada = town.person("ada");
  expect(await ada.hears("【done】 There are 3 trees.")).toMatchObject({ kind: "embed" });
  await ada.says("thanks");
  await ada.hears("heard: thanks");
  await town.grove.rests();
  expect(town.textsAt("ada")).toEqual(["【done】 There are 3 trees.", "heard: thanks"]);
});

test("a stranger's tap that gives no receipt has said nothing of it: it is unknown, and not announced again", async () => {
  const town = await openTown({ account: { taps: ["nonsense"] }, ports: { clock: createHurriedClock(50) } });
  await whileAway(town, (store) => announce(store, "d1", "There are 3 trees."));
  await town.grove.rests();
  expect(town.record.messages).toEqual([]);
  expect(await town.grove.deliveries()).toMatchObject([{ id: "d1.0", state: "unknown" }]);
});

test("an announcement whose answer is lost, or that finds the platform closed, stands there once", async () => {
  const town = await openTown({ ports: { clock: createHurriedClock(50) } });
  await whileAway(town, async (store) => {
    town.platform.fail("send", 503, 2);
    town.platform.fail("send", "lost");
    town.platform.fail("send", "cut");
    await announce(store, "d1", "There are 3 trees.");
  });
  await town.person("ada").hears("There are 3 trees.");
  await town.grove.rests();
  expect(town.record.messages).toMatchObject([{ key: "d1.0", repeats: 1 }]);
  expect(await town.grove.deliveries()).toMatchObject([{ id: "d1.0", state: "sent", attempts: 5 }]);
});

test("in a child's thread people talk with the child, without naming the bot, over restarts as well", async () => {
  const town = await openTown();
  const ada = town.person("ada");
  const { place } = town.record.open({
    bindingId: "b1",
    parent: { kind: "group", chat: "grove" },
    name: "census",
    hello: "🌱",
  });
  const there = { thread: place.thread ?? "" };
  await whileAway(town, (store) => bindThread(store, there.thread));
  ada.mumbles("count the birds, too", there);
  await ada.hears("heard: count the birds, too", there);
  await town.grove.restart();
  town.person("bob").mumbles("and the bees", there);
  await ada.hears("heard: and the bees", there);
  // Beside the thread all is as it was.
  ada.mumbles("nice weather", { group: "grove" });
  await ada.says("hello", { group: "grove" });
  await ada.hears("heard: hello", { group: "grove" });
  await town.grove.rests();
  expect(town.textsAt("ada", { group: "grove" })).toEqual(["heard: hello"]);
  const keys = await town.grove.read(async (read) => (await read.sessions({ limit: 9 })).map(({ key }) => key));
  expect(keys).toEqual(["agent:main:canopy:group:grove", CHILD]);
});

test("a thread that is the child's no more is a thread like any other", async () => {
  const town = await openTown();
  const ada = town.person("ada");
  const parent = { kind: "group", chat: "grove" } as const;
  const { place } = town.record.open({ bindingId: "b1", parent, name: "census", hello: "🌱" });
  const there = { thread: place.thread ?? "" };
  await whileAway(town, async (store) => {
    await bindThread(store, there.thread);
    const [binding] = (await store.read.routes()).bindings;
    const { address = "", id: bindingId = "" } = binding ?? {};
    await store.commit({ step: "bind", address, binding: null, bindingId, timers: [], endTimers: [] });
  });
  await ada.says("anybody?", there);
  await ada.hears("heard: anybody?", there);
  await town.grove.rests();
  const keys = await town.grove.read(async (read) => (await read.sessions({ limit: 9 })).map(({ key }) => key));
  expect(keys).toEqual([`agent:main:canopy:group:grove:thread:${there.thread}`, CHILD]);
});
