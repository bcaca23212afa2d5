import assert from "node:assert/strict";
import type { Store } from "../../store.ts";
import { otherLane, sampleCommand, sampleCommit, sampleDelivery, sampleLane, sampleMessage } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { claimLane, receiveAll, receiveOne, writeDelivery, writeTranscript } from "../store-script.ts";

type DeliveryQuery = Partial<Parameters<Store["read"]["deliveries"]>[0]>;

async function listDeliveries(store: Store, query: DeliveryQuery = {}): Promise<string> {
  return (await store.read.deliveries({ limit: 99, ...query })).map(({ id }) => id).join(" ");
}

async function listReady(store: Store, query: { afterSeq?: number; limit?: number } = {}): Promise<readonly string[]> {
  return (await store.read.readyLanes({ limit: 99, ...query })).map(({ lane }) => lane);
}

export const listCases: readonly StoreCase[] = [
  {
    name: "sessions: by key ascending, in pages, of one agent or all",
    async run(harness) {
      const store = await harness.open();
      for (const key of ["b", "d", "a", "c", "A", "a:b", "a%"]) await writeTranscript(store, key);
      const session = { key: "e", sessionId: "e", agentId: "other", file: "e", expectRevision: 0, body: "{}" };
      await store.commit({ step: "write_session", writeId: "e", session });
      const keys = async (query: { agentId?: string; afterKey?: string; limit: number }) =>
        (await store.read.sessions(query)).map(({ key }) => key);
      assert.deepEqual(await keys({ limit: 99 }), ["A", "a", "a%", "a:b", "b", "c", "d", "e"]);
      assert.deepEqual(await keys({ limit: 2, afterKey: "a%" }), ["a:b", "b"]);
      assert.deepEqual(await keys({ limit: 2, afterKey: "bb" }), ["c", "d"]);
      assert.deepEqual(await keys({ limit: 9, afterKey: "e" }), []);
      assert.deepEqual(await keys({ limit: 9, agentId: "other" }), ["e"]);
      assert.deepEqual(await keys({ limit: 9, agentId: "main", afterKey: "c" }), ["d"]);
      await writeTranscript(store, "aa");
      assert.deepEqual(await keys({ limit: 2, afterKey: "a:b" }), ["aa", "b"]);
    },
  },
  {
    name: "readyLanes: the longest waiting first, none that runs, is empty or stands behind a command",
    async run(harness) {
      const store = await harness.open();
      const lanes = ["z", "y", "x", "w"] as const;
      await receiveAll(
        store,
        lanes.map((lane) => sampleMessage(lane, { lane })),
      );
      await receiveOne(store, sampleMessage("z again", { lane: "z" }));
      assert.deepEqual(await listReady(store), ["z", "y", "x", "w"]);
      await claimLane(store, "y", "c1");
      await receiveAll(store, [sampleCommand("/a", { lane: "v" }), sampleMessage("v", { lane: "v" })]);
      const [first, ...others] = await store.read.readyLanes({ limit: 2 });
      assert.deepEqual([first?.lane, ...others.map(({ lane }) => lane)], ["z", "x"]);
      assert.deepEqual(await listReady(store, { afterSeq: first?.firstSeq ?? 0 }), ["x", "w"]);
      const [command] = await store.read.waitingCommands({ limit: 1 });
      await store.commit({ step: "command", lane: "v", seq: command?.seq ?? 0, items: [], deliveries: [] });
      assert.deepEqual(await listReady(store), ["z", "x", "w", "v"]);
    },
  },
  {
    name: "readyLanes: a lane comes back with its next item when its turn ends, at its old place when it is released",
    async run(harness) {
      const store = await harness.open();
      const batch = [sampleMessage("a"), sampleMessage("x", { lane: otherLane }), sampleMessage("b")];
      await receiveAll(store, batch);
      const { epoch, item } = await claimLane(store, sampleLane, "c1");
      assert.deepEqual(await listReady(store), [otherLane]);
      await store.commit({ step: "release", lane: sampleLane, epoch, giveBackAttempt: true });
      assert.deepEqual(await listReady(store), [sampleLane, otherLane]);
      const again = await claimLane(store, sampleLane, "c2");
      await store.commit(sampleCommit(again.epoch, [item.seq]));
      assert.deepEqual(await listReady(store), [otherLane, sampleLane]);
    },
  },
  {
    name: "waitingCommands: by seq, in pages, until they are settled",
    async run(harness) {
      const store = await harness.open();
      const lanes = ["x", "y", "z"] as const;
      const items = lanes.map((lane) => sampleCommand(`/${lane}`, { lane }));
      const [x, y, z] = (await receiveAll(store, items)).map(({ seq }) => seq);
      const seqs = async (query: { afterSeq?: number; limit: number }) =>
        (await store.read.waitingCommands(query)).map(({ seq }) => seq);
      assert.deepEqual(await seqs({ limit: 2 }), [x, y]);
      assert.deepEqual(await seqs({ limit: 2, afterSeq: y ?? 0 }), [z]);
      const [row] = await store.read.waitingCommands({ limit: 1 });
      assert.deepEqual([row?.lane, row?.kind, row?.state, row?.attempt], ["x", "command", "waiting", 0]);
      await store.commit({ step: "command", lane: "x", seq: x ?? 0, items: [], deliveries: [] });
      assert.deepEqual(await seqs({ limit: 9 }), [y, z]);
    },
  },
  {
    name: "deliveries: by pos, in pages, by state, channel and account",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("a"));
      await writeDelivery(store, sampleDelivery("b", { sendingOwner: "o" }));
      await writeDelivery(store, sampleDelivery("c", { channel: "other" }));
      await writeDelivery(store, sampleDelivery("d", { account: "second", sendingOwner: "o" }));
      await store.commit({ step: "settle", id: "b", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      const later = { state: "pending", error: "429", retryInMs: 60_000 } as const;
      await store.commit({ step: "settle", id: "d", attempt: 1, outcome: later });
      await store.commit({ step: "attempt", id: "a", owner: "o", attempt: 1 });
      await store.commit({ step: "settle", id: "a", attempt: 1, outcome: later });
      assert.equal(await listDeliveries(store), "a b c d");
      assert.equal(await listDeliveries(store, { states: ["pending"] }), "a c d");
      assert.equal(await listDeliveries(store, { states: ["pending", "sent"], limit: 3 }), "a b c");
      assert.equal(await listDeliveries(store, { states: [] }), "");
      assert.equal(await listDeliveries(store, { states: ["stuck"] }), "");
      assert.equal(await listDeliveries(store, { channel: "test" }), "a b d");
      assert.equal(await listDeliveries(store, { channel: "test", account: "default" }), "a b");
      assert.equal(await listDeliveries(store, { states: ["pending"], channel: "test", account: "second" }), "d");
      const { pos = 0 } = (await store.read.delivery("b")) ?? {};
      assert.equal(await listDeliveries(store, { afterPos: pos }), "c d");
      assert.equal(await listDeliveries(store, { afterPos: pos, states: ["pending"], limit: 1 }), "c");
    },
  },
  {
    name: "deliveries: of the runs that they tell of, by pos, in pages and by state",
    async run(harness) {
      const store = await harness.open();
      for (const [id, runId] of Object.entries({ a: "x", b: "y", c: undefined, d: "x", e: "z" })) {
        await writeDelivery(store, sampleDelivery(id, { sendingOwner: "o", ...(runId && { runId }) }));
      }
      await store.commit({ step: "settle", id: "a", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      const undeliverable = { state: "undeliverable", error: "403" } as const;
      await store.commit({ step: "settle", id: "d", attempt: 1, outcome: undeliverable });
      assert.equal(await listDeliveries(store, { runIds: ["x", "y"] }), "a b d");
      assert.equal(
        await listDeliveries(store, { runIds: ["z", "x", "x"], states: ["sending", "undeliverable"] }),
        "d e",
      );
      assert.equal(await listDeliveries(store, { runIds: ["x", "y"], limit: 2 }), "a b");
      const { pos = 0 } = (await store.read.delivery("b")) ?? {};
      assert.equal(await listDeliveries(store, { runIds: ["x", "y"], afterPos: pos }), "d");
      assert.equal(await listDeliveries(store, { runIds: ["x"], channel: "other" }), "");
      assert.equal(await listDeliveries(store, { runIds: ["nowhere"] }), "");
      assert.equal(await listDeliveries(store, { runIds: [] }), "");
    },
  },
  {
    name: "counts: sessions, items that wait for a turn, lanes that run, deliveries not settled",
    async run(harness) {
      const store = await harness.open();
      const none = {
        sessions: 0,
        waitingItems: 0,
        activeLanes: 0,
        unsettledDeliveries: 0,
        pendingPairings: 0,
        unfinishedRuns: 0,
      };
      assert.deepEqual(await store.read.counts(), none);
      await receiveAll(store, [sampleMessage("a"), sampleMessage("b"), sampleCommand("/c"), sampleMessage("d")]);
      await receiveOne(store, sampleMessage("refused", { laneCap: 1 }));
      await claimLane(store, sampleLane, "c1");
      await writeTranscript(store, otherLane);
      for (const id of ["pending", "sending", "stuck", "sent"]) {
        await writeDelivery(store, sampleDelivery(id, id === "pending" ? {} : { sendingOwner: "o" }));
      }
      const stuck = { state: "stuck", error: "500", retryInMs: 0 } as const;
      await store.commit({ step: "settle", id: "stuck", attempt: 1, outcome: stuck });
      await store.commit({ step: "settle", id: "sent", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      const counts = {
        sessions: 2,
        waitingItems: 2,
        activeLanes: 1,
        unsettledDeliveries: 3,
        pendingPairings: 0,
        unfinishedRuns: 0,
      };
      assert.deepEqual(await store.read.counts(), counts);
    },
  },
];
