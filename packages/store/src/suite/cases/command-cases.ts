import assert from "node:assert/strict";
import type { CommandStep } from "../../steps.ts";
import {
  otherLane,
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleEntries,
  sampleItem,
  sampleLane,
  sampleMessage,
  sampleSession,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, getDelivery, receiveOne, startTurn } from "../store-script.ts";

const sessionId = `id of ${sampleLane}`;
const conflict = { status: "refused", reason: "conflict" } as const;

function command(seq: number, more: Partial<CommandStep> = {}): CommandStep {
  return { step: "command", lane: sampleLane, seq, items: [], deliveries: [], ...more };
}

export const commandCases: readonly StoreCase[] = [
  {
    name: "command: its answer and its end are one step beside a running turn; a repeat is already",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const seq = await receiveOne(store, sampleCommand("/status"));
      assert.equal((await store.read.waitingCommands({ limit: 9 }))[0]?.seq, seq);
      const step = command(seq, { deliveries: [sampleDelivery("d", { kind: "command" })] });
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 0 });
      assert.equal((await getDelivery(store, "d")).kind, "command");
      assert.deepEqual(await store.read.waitingCommands({ limit: 9 }), []);
      assert.deepEqual((await store.read.lane(sampleLane)).active, [item.seq]);
      await assertChangesNothing(store, step, { status: "already" });
      assert.equal((await store.commit(sampleCommit(epoch, [item.seq]))).status, "done");
    },
  },
  {
    name: "command with stop: the turn's items are done, its text is kept, and whatever it still sends is fenced",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await receiveOne(store, sampleMessage("m2"));
      const seq = await receiveOne(store, sampleCommand("/stop"));
      const step = command(seq, { stop: { epoch, sessionId, entries: sampleEntries("partial") } });
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 1 });
      assert.deepEqual(await store.read.lane(sampleLane), { lane: sampleLane, epoch, waiting: 1, active: [] });
      assert.equal((await claimLane(store, sampleLane, "claim of m1")).item.state, "done");
      const [entry] = await store.read.entriesOfItem({ itemSeq: item.seq });
      assert.deepEqual([entry?.id, entry?.seq, entry?.sessionKey], ["partial", 1, sampleLane]);
      const late = sampleCommit(epoch, [item.seq], { deliveries: [sampleDelivery("late")] });
      await assertChangesNothing(store, late, { status: "fenced" });
      const itemSeq = item.seq;
      const tool = { step: "tool_result", lane: sampleLane, epoch, sessionId, itemSeq } as const;
      await assertChangesNothing(store, { ...tool, entries: sampleEntries("late") }, { status: "fenced" });
      await assertChangesNothing(store, step, { status: "already" });
      const next = await claimLane(store, sampleLane, "c2");
      assert.deepEqual([next.epoch, next.item.seq > item.seq], [epoch + 1, true]);
    },
  },
  {
    name: "command with stop: at another epoch a conflict that changes nothing",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      const seq = await receiveOne(store, sampleCommand("/stop"));
      for (const other of [epoch - 1, epoch + 1]) {
        const stop = { epoch: other, sessionId, entries: sampleEntries("e") };
        await assertChangesNothing(store, command(seq, { stop, deliveries: [sampleDelivery("d")] }), conflict);
      }
    },
  },
  {
    name: "command with stop of the turn that runs: a conflict that changes nothing where it was given back meanwhile",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const seq = await receiveOne(store, sampleCommand("/stop"));
      const stop = { epoch, isRunning: true, sessionId, entries: sampleEntries("e") } as const;
      await store.commit({ step: "release", lane: sampleLane, epoch, giveBackAttempt: true });
      await assertChangesNothing(store, command(seq, { stop, deliveries: [sampleDelivery("d")] }), conflict);
      const again = await claimLane(store, sampleLane, "again");
      assert.equal(again.item.seq, item.seq);
      const step = command(seq, { stop: { ...stop, epoch: again.epoch } });
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 0 });
    },
  },
  {
    name: "command with stop: where nothing runs it only writes its entries",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/stop"));
      const step = command(seq, { stop: { epoch: 0, sessionId, entries: sampleEntries("e") } });
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 0 });
      const [entry] = await store.read.entries({ sessionId, limit: 9 });
      assert.deepEqual([entry?.id, entry && "itemSeq" in entry], ["e", false]);
    },
  },
  {
    name: "command that resets: a new session id under the same key, the old transcript kept, its text a waiting item",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      const seq = await receiveOne(store, sampleCommand("/new", { nativeId: "n" }));
      const fresh = { sessionId: "second id", file: "second.jsonl", expectRevision: 1 };
      const step = command(seq, {
        stop: { epoch, sessionId, entries: sampleEntries("partial") },
        session: sampleSession(sampleLane, fresh),
        items: [sampleItem("rest", { nativeId: "n" })],
        deliveries: [sampleDelivery("d")],
      });
      const result = await store.commit(step);
      assert.equal(result.status === "done" && result.waiting, 1);
      const { item, session } = await claimLane(store, sampleLane, "c2");
      assert.deepEqual(result.status === "done" && result.items, [item.seq]);
      assert.deepEqual([item.kind, item.attempt, item.body], ["message", 1, sampleItem("rest").body]);
      assert.deepEqual([session?.sessionId, session?.revision], ["second id", 2]);
      assert.equal(await store.read.sessionById(sessionId), undefined);
      assert.equal(await store.read.sessionByFile("main", `${sampleLane}.jsonl`), undefined);
      assert.equal((await store.read.sessionByFile("main", "second.jsonl"))?.key, sampleLane);
      assert.equal((await store.read.entries({ sessionId, limit: 9 })).length, 1);
      assert.deepEqual(await store.read.entries({ sessionId: "second id", limit: 9 }), []);
    },
  },
  {
    name: "command: a session revision that is not the present one is a conflict that changes nothing",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/new"));
      const { epoch } = await store.read.lane(sampleLane);
      const session = sampleSession(sampleLane, { expectRevision: 2 });
      const stop = { epoch, sessionId, entries: sampleEntries("e") };
      await assertChangesNothing(store, command(seq, { session, stop, deliveries: [sampleDelivery("d")] }), conflict);
    },
  },
  {
    name: "command: items received before keep their seq; one without a session refuses the step",
    async run(harness) {
      const store = await harness.open();
      const first = await receiveOne(store, sampleMessage("a"));
      const seq = await receiveOne(store, sampleCommand("/new"));
      const orphan = sampleItem("x", { lane: otherLane });
      const refused = { status: "refused", reason: "no_session" } as const;
      await assertChangesNothing(store, command(seq, { items: [sampleItem("b"), orphan] }), refused);
      const result = await store.commit(command(seq, { items: [sampleItem("a"), sampleItem("b")] }));
      assert.equal(result.status === "done" && result.items[0], first);
      assert.equal(result.status === "done" && result.waiting, 2);
    },
  },
  {
    name: "command: an unknown item is not found, one that is no command or of another lane is in the wrong state",
    async run(harness) {
      const store = await harness.open();
      const message = await receiveOne(store, sampleMessage("a"));
      const seq = await receiveOne(store, sampleCommand("/new"));
      await assertChangesNothing(store, command(1_000_000), { status: "refused", reason: "not_found" });
      const wrongState = { status: "refused", reason: "wrong_state" } as const;
      await assertChangesNothing(store, command(message), wrongState);
      await assertChangesNothing(store, command(seq, { lane: otherLane }), wrongState);
    },
  },
];
