import assert from "node:assert/strict";
import type { StepResult } from "../../results.ts";
import type { CommitTurnStep } from "../../turn-steps.ts";
import {
  otherLane,
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleEntries,
  sampleLane,
  sampleMessage,
  sampleSession,
  sampleToolResult,
  sealedSample,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, getDelivery, receiveOne, startTurn } from "../store-script.ts";

const sessionId = `id of ${sampleLane}`;

const wrongState: StepResult<CommitTurnStep> = { status: "refused", reason: "wrong_state" };

export const commitTurnCases: readonly StoreCase[] = [
  {
    name: "commit_turn: items done, entries behind those of the tools, deliveries and session written, lane free",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await receiveOne(store, sampleMessage("m2"));
      await store.commit(sampleToolResult(epoch, item.seq, "e1"));
      const session = sampleSession(sampleLane, { expectRevision: 1, body: '{"usage":1}' });
      const deliveries = [sampleDelivery("d1"), sampleDelivery("d2", { sendingOwner: "o" })];
      const step = sampleCommit(epoch, [item.seq], { session, deliveries, entries: sampleEntries("e1", "e2") });
      assert.deepEqual(await store.commit(step), { status: "done", waiting: 1, revision: 2 });
      assert.deepEqual(await store.read.lane(sampleLane), { lane: sampleLane, epoch, waiting: 1, active: [] });
      assert.equal((await store.read.session(sampleLane))?.body, '{"usage":1}');
      const entries = await store.read.entries({ sessionId, limit: 9 });
      assert.deepEqual(
        entries.map(({ id, seq, itemSeq, body }) => [id, seq, itemSeq, body]),
        [
          ["e1", 1, item.seq, sealedSample(1, "e1")],
          ["e2", 2, item.seq, sealedSample(2, "e2")],
        ],
      );
      assert.deepEqual(
        [(await getDelivery(store, "d1")).state, (await getDelivery(store, "d2")).state],
        ["pending", "sending"],
      );
    },
  },
  {
    name: "commit_turn: a repeat is already with the revision it wrote, also after later turns and writes",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await receiveOne(store, sampleMessage("m2"));
      const step = sampleCommit(epoch, [item.seq], { deliveries: [sampleDelivery("d")], entries: sampleEntries("e1") });
      assert.deepEqual(await store.commit(step), { status: "done", waiting: 1, revision: 2 });
      await assertChangesNothing(store, step, { status: "already", waiting: 1, revision: 2 });
      const next = await claimLane(store, sampleLane, "c2");
      await assertChangesNothing(store, step, { status: "already", waiting: 0, revision: 2 });
      const session = sampleSession(sampleLane, { expectRevision: 2 });
      await store.commit(sampleCommit(next.epoch, [next.item.seq], { session }));
      await assertChangesNothing(store, step, { status: "already", waiting: 0, revision: 2 });
    },
  },
  {
    name: "commit_turn: takes waiting items along that the turn was given",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const steered = await receiveOne(store, sampleMessage("m2"));
      const later = await receiveOne(store, sampleMessage("m3"));
      const step = sampleCommit(epoch, [item.seq, steered], { entries: sampleEntries("e") });
      assert.deepEqual(await store.commit(step), { status: "done", waiting: 1, revision: 2 });
      assert.equal((await store.read.entriesOfItem({ itemSeq: item.seq })).length, 1);
      assert.equal((await claimLane(store, sampleLane, "c2")).item.seq, later);
    },
  },
  {
    name: "commit_turn: quarantined items are not claimed again",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const step = sampleCommit(epoch, [item.seq], { itemState: "quarantined" });
      assert.deepEqual(await store.commit(step), { status: "done", waiting: 0, revision: 2 });
      const repeated = await claimLane(store, sampleLane, "claim of m1");
      assert.equal(repeated.item.state, "quarantined");
      assert.deepEqual(await store.read.readyLanes({ limit: 9 }), []);
    },
  },
  {
    name: "commit_turn: fenced at another epoch, in a lane that nobody runs and after the next claim",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const step = (at: number) =>
        sampleCommit(at, [item.seq], { entries: sampleEntries("e1"), deliveries: [sampleDelivery("d")] });
      await assertChangesNothing(store, step(epoch + 1), { status: "fenced" });
      await assertChangesNothing(store, step(epoch - 1), { status: "fenced" });
      await store.commit({ step: "release", lane: sampleLane, epoch, giveBackAttempt: false });
      await assertChangesNothing(store, step(epoch), { status: "fenced" });
      await claimLane(store, sampleLane, "c2");
      await assertChangesNothing(store, step(epoch), { status: "fenced" });
      await assertChangesNothing(store, { ...step(1), lane: otherLane }, { status: "fenced" });
    },
  },
  {
    name: "commit_turn: another revision is a conflict that changes nothing, and the turn can be committed after it",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const session = sampleSession(sampleLane, { expectRevision: 2 });
      const step = sampleCommit(epoch, [item.seq], { session, deliveries: [sampleDelivery("d")] });
      await assertChangesNothing(store, step, { status: "refused", reason: "conflict" });
      const again = { ...step, session: { ...session, expectRevision: 1 } };
      assert.deepEqual(await store.commit(again), { status: "done", waiting: 0, revision: 2 });
    },
  },
  {
    name: "commit_turn: none, unknown, foreign, twice named, command or unclaimed items are refused",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const waiting = await receiveOne(store, sampleMessage("m2"));
      const foreign = await receiveOne(store, sampleMessage("x", { lane: otherLane }));
      const command = await receiveOne(store, sampleCommand("/new"));
      const unknown = 1_000_000;
      const wrong = [[], [unknown], [waiting], [waiting, item.seq], [item.seq, foreign], [item.seq, unknown]];
      for (const items of [...wrong, [item.seq, command], [item.seq, item.seq]]) {
        await assertChangesNothing(store, sampleCommit(epoch, items), wrongState);
      }
    },
  },
  {
    name: "commit_turn: entries go to the session id that it writes, counted from 1 there",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await store.commit(sampleToolResult(epoch, item.seq, "e1"));
      const session = sampleSession(sampleLane, { expectRevision: 1, sessionId: "second id" });
      await store.commit(sampleCommit(epoch, [item.seq], { session, entries: sampleEntries("e2") }));
      const [entry] = await store.read.entries({ sessionId: "second id", limit: 9 });
      assert.deepEqual([entry?.id, entry?.seq], ["e2", 1]);
      assert.equal((await store.read.entries({ sessionId, limit: 9 })).length, 1);
      // Whoever takes the turn up after a reset finds what it did before.
      const ofItem = await store.read.entriesOfItem({ itemSeq: item.seq });
      assert.deepEqual(
        ofItem.map((row) => `${row.sessionId}: ${row.id}`),
        [`${sessionId}: e1`, "second id: e2"],
      );
    },
  },
];
