import assert from "node:assert/strict";
import type { Claim } from "../../results.ts";
import type { RunSpeech, TurnRun } from "../../run-steps.ts";
import type { CommitTurnStep } from "../../turn-steps.ts";
import {
  acceptRun,
  commitDone,
  completionOf,
  endRuns,
  getRun,
  reserveRun,
  startParent,
  startRun,
  stateOf,
} from "../run-script.ts";
import { childKey, sampleChild, sampleEnd, sampleQuietEnd, sampleRun } from "../sample-run.ts";
import { sampleCommit, sampleDelivery, sampleEntries, sampleItem, sampleLane, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, startTurn } from "../store-script.ts";

const lane = childKey("r");
const parent = sampleRun("r");
const a = sampleChild("a", parent);
const b = sampleChild("b", parent);
const conflict = { status: "refused", reason: "conflict" } as const;

/** Ends the parent's turn. */
function commit({ epoch, item }: Claim, more: Partial<CommitTurnStep> = {}): CommitTurnStep {
  const session = sampleSession(lane, { expectRevision: 1 });
  return sampleCommit(epoch, [item.seq], { lane, session, ...more });
}

function turn(more: Partial<TurnRun> = {}): TurnRun {
  return { runId: "r", mayWait: true, ends: [sampleEnd(parent)], closed: [], ...more };
}

function speech(runId: string, by: RunSpeech["by"] = "parent"): RunSpeech {
  return { runId, by };
}

export const turnRunCases: readonly StoreCase[] = [
  {
    name: "commit_turn of a run: with nothing left to wait for the run ends with its turn; a repeat says so",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      const step = commit(claim, { run: turn(), entries: sampleEntries("e"), deliveries: [sampleDelivery("d")] });
      assert.deepEqual(await store.commit(step), {
        status: "done",
        waiting: 0,
        revision: 2,
        run: "ended",
        wakes: [sampleLane],
      });
      const { state, endedReason, toldSessionKey } = await getRun(store, "r");
      assert.deepEqual([state, endedReason, toldSessionKey], ["ended", "complete", sampleLane]);
      assert.deepEqual(await completionOf(store, parent), ["waiting", "turn"]);
      await assertChangesNothing(store, step, { status: "already", waiting: 0, revision: 2, run: "ended" });
    },
  },
  {
    name: "commit_turn of a run: an unfinished awaited child keeps it waiting; the turn is written, its end is not",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await acceptRun(store, a);
      const step = commit(claim, { run: turn(), entries: sampleEntries("e"), deliveries: [sampleDelivery("d")] });
      assert.deepEqual(await store.commit(step), { status: "done", waiting: 0, revision: 2, run: "waiting" });
      const row = await getRun(store, "r");
      assert.deepEqual([row.state, row.result, row.endedAtMs], ["waiting", undefined, undefined]);
      assert.equal(await store.read.itemByDedupe("completion|r"), undefined);
      assert.deepEqual([(await store.read.entries({ sessionId: `id of ${lane}`, limit: 9 })).length], [1]);
      assert.equal((await store.read.delivery("d"))?.state, "pending");
      await assertChangesNothing(store, step, { status: "already", waiting: 0, revision: 2, run: "waiting" });
    },
  },
  {
    name: "commit_turn of a run: a reserved awaited child keeps it waiting, one that is not awaited does not",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await reserveRun(store, sampleChild("b", parent, { isAwaited: false }));
      await reserveRun(store, a);
      await commitDone(store, commit(claim, { run: turn() }));
      assert.equal(await stateOf(store, parent), "waiting");
      await commitDone(store, { step: "undo_run", runId: "a" });
      await commitDone(store, { step: "enqueue", item: sampleItem("again", { lane, runId: "r" }) });
      const second = await claimLane(store, lane, "c2");
      const session = sampleSession(lane, { expectRevision: 2 });
      const result = await store.commit(commit(second, { session, run: turn() }));
      assert.equal(result.status === "done" && result.run, "ended");
      assert.equal(await stateOf(store, b), "reserved");
    },
  },
  {
    name: "commit_turn of a run: an item of its own that is left in the lane keeps it waiting",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await commitDone(store, { step: "enqueue", item: sampleItem("steered", { lane, runId: "r" }) });
      const result = await store.commit(commit(claim, { run: turn() }));
      assert.deepEqual(result, { status: "done", waiting: 1, revision: 2, run: "waiting" });
    },
  },
  {
    name: "commit_turn of a run: items that the turn took along, of others or only appended keep nothing waiting",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      const taken = await store.commit({ step: "enqueue", item: sampleItem("taken", { lane, runId: "r" }) });
      const others = [sampleItem("noted", { lane, runId: "r", wake: "append" }), sampleItem("plain", { lane })];
      for (const item of others) await commitDone(store, { step: "enqueue", item });
      const items = [claim.item.seq, taken.status === "done" ? taken.seq : 0];
      const result = await store.commit(commit(claim, { items, run: turn() }));
      assert.deepEqual([result.status === "done" && result.run, await stateOf(store, parent)], ["ended", "ended"]);
    },
  },
  {
    name: "commit_turn of a run: without `mayWait` it ends whatever is left, and takes its children along",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await acceptRun(store, a);
      const taken = sampleEnd(a, { stop: { epoch: 0, sessionId: `id of ${childKey("a")}`, entries: [] } });
      const failed = turn({ mayWait: false, ends: [taken, sampleEnd(parent, { endedReason: "error" })] });
      const result = await store.commit(commit(claim, { run: { ...failed, closed: [lane] } }));
      assert.deepEqual(result.status === "done" && [result.run, result.wakes], ["ended", [sampleLane]]);
      assert.deepEqual([await stateOf(store, a), await stateOf(store, parent)], ["ended", "ended"]);
      assert.deepEqual(await completionOf(store, a), ["waiting", "append"]);
    },
  },
  {
    name: "commit_turn of a run: what refuses its end refuses the turn's, but not while the run waits",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await acceptRun(store, a);
      const open = commit(claim, { run: turn({ mayWait: false, closed: [lane] }), entries: sampleEntries("e") });
      await assertChangesNothing(store, open, conflict);
      await commitDone(store, { ...open, run: turn({ closed: [lane] }) });
      assert.equal(await stateOf(store, parent), "waiting");
    },
  },
  {
    name: "commit_turn of a run: the wrong state for one that has ended, not found for an unknown one",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await endRuns(store, sampleQuietEnd(parent));
      const wrongState = { status: "refused", reason: "wrong_state" } as const;
      await assertChangesNothing(store, commit(claim, { run: turn() }), wrongState);
      const unknown = commit(claim, { run: turn({ runId: "unknown" }) });
      await assertChangesNothing(store, unknown, { status: "refused", reason: "not_found" });
      assert.equal((await store.commit(commit(claim))).status, "done");
    },
  },
  {
    name: "commit_turn of a run: its last child's completion wakes its own lane, which is not named among the others",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      const child = await startRun(store, a);
      await commitDone(store, commit(claim, { run: turn() }));
      const session = sampleSession(childKey("a"), { expectRevision: 1 });
      const own = { runId: "a", mayWait: true, ends: [sampleEnd(a)], closed: [] };
      const step = sampleCommit(child.epoch, [child.item.seq], { lane: childKey("a"), session, run: own });
      const result = await store.commit(step);
      assert.deepEqual(result.status === "done" && result.wakes, [lane]);
      assert.equal((await claimLane(store, lane, "c2")).item.kind, "completion");
      assert.equal(await stateOf(store, parent), "running");
    },
  },
  {
    name: "speeches: the turn that tells the chat of ended runs settles them",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, sampleRun("x"));
      await acceptRun(store, sampleRun("y"));
      for (const id of ["x", "y"]) await endRuns(store, sampleEnd(sampleRun(id)));
      const { epoch, item } = await startCompletion(store);
      const step = sampleCommit(epoch, [item.seq], { speeches: [speech("x"), speech("y", "nobody")] });
      await commitDone(store, step);
      assert.deepEqual(
        [(await getRun(store, "x")).settledBy, (await getRun(store, "y")).settledBy],
        ["parent", "nobody"],
      );
      assert.equal((await store.commit(step)).status, "already");
    },
  },
  {
    name: "speeches: of a run that has not ended, was told of or is unknown: a conflict that changes nothing",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, sampleRun("x"));
      await acceptRun(store, sampleRun("y"));
      await acceptRun(store, sampleRun("z"));
      await endRuns(store, sampleEnd(sampleRun("x")), sampleQuietEnd(sampleRun("y")));
      const { epoch, item } = await startCompletion(store);
      for (const other of ["y", "z", "unknown"]) {
        const step = sampleCommit(epoch, [item.seq], {
          speeches: [speech("x"), speech(other)],
          entries: sampleEntries("e"),
        });
        await assertChangesNothing(store, step, conflict);
      }
    },
  },
  {
    name: "speeches: a turn may tell of the run that it ends, unless that is settled with its end or waits",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      const settled = turn({ ends: [sampleEnd(parent, { settledBy: "host" })] });
      await assertChangesNothing(store, commit(claim, { run: settled, speeches: [speech("r")] }), conflict);
      await acceptRun(store, a);
      await assertChangesNothing(store, commit(claim, { run: turn(), speeches: [speech("r")] }), conflict);
      await endRuns(store, sampleQuietEnd(a));
      await commitDone(store, commit(claim, { run: turn(), speeches: [speech("r")] }));
      assert.equal((await getRun(store, "r")).settledBy, "parent");
    },
  },
  {
    name: "commit_turn without a run: nothing is said of one",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      assert.deepEqual(await store.commit(sampleCommit(epoch, [item.seq])), {
        status: "done",
        waiting: 0,
        revision: 2,
      });
    },
  },
];

/** The requester's turn for the first completion that it got. */
function startCompletion(store: Parameters<typeof claimLane>[0]): Promise<Claim> {
  return claimLane(store, sampleLane, "completion's claim");
}
