import assert from "node:assert/strict";
import type { RunEnd } from "../../run-steps.ts";
import {
  acceptRun,
  commitDone,
  completionOf,
  endRuns,
  getItem,
  reserveRun,
  startParent,
  startRun,
} from "../run-script.ts";
import { childKey, sampleAccept, sampleChild, sampleEnd, sampleReserve, sampleRun, sampleTask } from "../sample-run.ts";
import { sampleCommit, sampleEntries, sampleItem, sampleLane, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, startTurn } from "../store-script.ts";

const run = sampleRun("a");
const lane = childKey("a");
const sessionId = `id of ${lane}`;

function stop(epoch: number, ...entryIds: readonly string[]): NonNullable<RunEnd["stop"]> {
  return { epoch, sessionId, entries: sampleEntries(...entryIds) };
}

export const runStopCases: readonly StoreCase[] = [
  {
    name: "a run that is stopped: its turn is fenced off, its text kept, its lane free at the same epoch",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startRun(store, run);
      assert.deepEqual(
        await endRuns(store, sampleEnd(run, { stop: stop(epoch, "partial") })),
        [lane, sampleLane].toSorted(),
      );
      assert.deepEqual(await store.read.lane(lane), { lane, epoch, waiting: 0, active: [] });
      assert.equal((await getItem(store, sampleTask(run).dedupe)).state, "done");
      const [entry] = await store.read.entriesOfItem({ itemSeq: item.seq });
      assert.deepEqual([entry?.id, entry?.sessionKey, entry?.sessionId], ["partial", lane, sessionId]);
      const late = sampleCommit(epoch, [item.seq], { lane, session: sampleSession(lane, { expectRevision: 1 }) });
      await assertChangesNothing(store, late, { status: "fenced" });
      await commitDone(store, { step: "enqueue", item: sampleItem("next", { lane }) });
      assert.equal((await claimLane(store, lane, "c2")).epoch, epoch + 1);
    },
  },
  {
    name: "a run that is stopped before its first turn: its task never runs",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      assert.deepEqual(await endRuns(store, sampleEnd(run, { stop: stop(0, "note") })), [sampleLane]);
      assert.equal((await getItem(store, sampleTask(run).dedupe)).state, "done");
      const [entry] = await store.read.entries({ sessionId, limit: 9 });
      assert.deepEqual([entry?.id, entry && "itemSeq" in entry], ["note", false]);
      const empty = { status: "refused", reason: "empty" } as const;
      await assertChangesNothing(store, { step: "claim", lane, owner: "o", claimId: "c" }, empty);
    },
  },
  {
    name: "a run that is stopped: what waits of it is done, what its lane keeps for others stays",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startRun(store, run);
      const steered = sampleItem("steered", { lane, runId: "a" });
      const noted = sampleItem("noted", { lane, runId: "a", wake: "append" });
      const foreign = sampleItem("foreign", { lane, runId: "other" });
      const plain = sampleItem("plain", { lane });
      for (const item of [steered, noted, foreign, plain]) await commitDone(store, { step: "enqueue", item });
      await endRuns(store, sampleEnd(run, { stop: stop(epoch) }));
      const states = await Promise.all(
        [steered, noted, foreign, plain].map(async ({ dedupe }) => (await getItem(store, dedupe)).state),
      );
      assert.deepEqual(states, ["done", "waiting", "waiting", "waiting"]);
      assert.equal((await store.read.lane(lane)).waiting, 3);
    },
  },
  {
    name: "a run that is stopped: completions of its children are only appended, whether they waited or were held",
    async run(harness) {
      const store = await harness.open();
      const { parent, claim } = await startParent(store);
      const [first, second, third] = ["a", "b", "c"].map((id) => sampleChild(id, parent));
      assert.ok(first && second && third);
      await acceptRun(store, first);
      await endRuns(store, sampleEnd(first));
      for (const child of [second, third]) await acceptRun(store, child);
      await endRuns(store, sampleEnd(second));
      assert.deepEqual(await completionOf(store, second), ["held", "turn"]);
      const own = { epoch: claim.epoch, sessionId: `id of ${claim.lane}`, entries: [] };
      const wakes = await endRuns(store, sampleEnd(third), sampleEnd(parent, { stop: own }));
      assert.deepEqual(wakes, [childKey("r"), sampleLane].toSorted());
      for (const child of [first, second, third])
        assert.deepEqual(await completionOf(store, child), ["waiting", "append"]);
    },
  },
  {
    name: "a run that is stopped while its lane runs a completion: that is only appended, too",
    async run(harness) {
      const store = await harness.open();
      const { parent, claim } = await startParent(store);
      const child = sampleChild("a", parent);
      await acceptRun(store, child);
      const session = sampleSession(claim.lane, { expectRevision: 1 });
      await commitDone(store, sampleCommit(claim.epoch, [claim.item.seq], { lane: claim.lane, session }));
      await endRuns(store, sampleEnd(child));
      const { epoch } = await claimLane(store, claim.lane, "woken");
      const own = { epoch, sessionId: `id of ${claim.lane}`, entries: [] };
      assert.deepEqual(await endRuns(store, sampleEnd(parent, { stop: own })), [claim.lane, sampleLane].toSorted());
      assert.deepEqual(await completionOf(store, child), ["waiting", "append"]);
      assert.equal((await claimLane(store, claim.lane, "written")).item.attempt, 1);
    },
  },
  {
    name: "a run that is stopped while its lane runs something else: that goes on",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startRun(store, run);
      const second = sampleRun("b", { childSessionKey: lane });
      await commitDone(store, sampleReserve(second));
      const { session: _, ...standing } = sampleAccept(second);
      await commitDone(store, standing);
      assert.deepEqual(await endRuns(store, sampleEnd(second, { stop: stop(epoch, "note") })), [sampleLane]);
      const { active, owner } = await store.read.lane(lane);
      assert.deepEqual([active, owner !== undefined], [[item.seq], true]);
      assert.equal((await getItem(store, sampleTask(second).dedupe)).state, "done");
      assert.deepEqual(await store.read.entriesOfItem({ itemSeq: item.seq }), []);
      assert.equal((await store.read.entries({ sessionId, limit: 9 })).length, 1);
      const commit = sampleCommit(epoch, [item.seq], { lane, session: sampleSession(lane, { expectRevision: 1 }) });
      assert.equal((await store.commit(commit)).status, "done");
    },
  },
  {
    name: "a run that is stopped while its lane runs what works for no run: that goes on",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      const task = await claimLane(store, lane, "c1");
      const session = sampleSession(lane, { expectRevision: 1 });
      await commitDone(store, sampleCommit(task.epoch, [task.item.seq], { lane, session }));
      await commitDone(store, { step: "enqueue", item: sampleItem("plain", { lane }) });
      const { epoch, item } = await claimLane(store, lane, "c2");
      await endRuns(store, sampleEnd(run, { stop: stop(epoch) }));
      assert.deepEqual((await store.read.lane(lane)).active, [item.seq]);
    },
  },
  {
    name: "end_runs that stops a turn: what that still sends is fenced, and a completion it was about is only appended",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      await endRuns(store, sampleEnd(run));
      const { epoch, item } = await claimLane(store, sampleLane, "woken");
      const sessionId = `id of ${sampleLane}`;
      const stops = { lane: sampleLane, epoch, sessionId, entries: sampleEntries("partial") };
      const step = { step: "end_runs", ends: [], closed: [], stop: stops } as const;
      await assertChangesNothing(store, { ...step, stop: { ...stops, epoch: epoch + 1 } }, { status: "already" });
      assert.deepEqual(await store.commit(step), { status: "done", wakes: [sampleLane] });
      await assertChangesNothing(store, sampleCommit(epoch, [item.seq]), { status: "fenced" });
      await assertChangesNothing(store, step, { status: "already" });
      assert.deepEqual(await completionOf(store, run), ["waiting", "append"]);
      assert.deepEqual(
        (await store.read.entriesOfItem({ itemSeq: item.seq })).map(({ id }) => id),
        ["partial"],
      );
      const other = sampleRun("other");
      await acceptRun(store, other);
      const mixed = { ...step, ends: [sampleEnd(other)] };
      await assertChangesNothing(store, mixed, { status: "refused", reason: "conflict" });
    },
  },
  {
    name: "end_runs and undo_run for a turn: fenced unless its lane runs at that epoch; already where they were written",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      await acceptRun(store, run);
      await reserveRun(store, sampleRun("b"));
      const end = { step: "end_runs", ends: [sampleEnd(run)], closed: [] } as const;
      const undo = { step: "undo_run", runId: "b" } as const;
      const askedBy = { lane: sampleLane, epoch };
      for (const other of [
        { ...askedBy, epoch: epoch - 1 },
        { ...askedBy, epoch: epoch + 1 },
        { ...askedBy, lane: "none" },
      ])
        for (const step of [end, undo])
          await assertChangesNothing(store, { ...step, askedBy: other }, { status: "fenced" });
      await commitDone(store, { step: "release", lane: sampleLane, epoch, giveBackAttempt: false });
      for (const step of [end, undo]) await assertChangesNothing(store, { ...step, askedBy }, { status: "fenced" });
      await claimLane(store, sampleLane, "the next claim");
      for (const step of [end, undo]) await assertChangesNothing(store, { ...step, askedBy }, { status: "fenced" });
      for (const step of [end, undo]) await commitDone(store, { ...step, askedBy: { ...askedBy, epoch: epoch + 1 } });
      for (const step of [end, undo]) await assertChangesNothing(store, { ...step, askedBy }, { status: "already" });
    },
  },
];
