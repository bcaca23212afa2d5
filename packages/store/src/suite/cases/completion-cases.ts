import assert from "node:assert/strict";
import {
  acceptRun,
  commitDone,
  completionOf,
  endRuns,
  reserveRun,
  startParent,
  startRun,
  stateOf,
} from "../run-script.ts";
import {
  childKey,
  sampleChild,
  sampleCompletion,
  sampleEnd,
  sampleEndRuns,
  sampleQuietEnd,
  sampleRun,
} from "../sample-run.ts";
import { sampleCommit, sampleItem, sampleLane, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane } from "../store-script.ts";

const lane = childKey("r");
const parent = sampleRun("r");
const a = sampleChild("a", parent);
const b = sampleChild("b", parent);
const c = sampleChild("c", parent);

export const completionCases: readonly StoreCase[] = [
  {
    name: "completions: one that came before the run asked for more is held when it waits, and freed with the rest",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await acceptRun(store, a);
      await endRuns(store, sampleEnd(a));
      assert.deepEqual(await completionOf(store, a), ["waiting", "turn"]);
      await acceptRun(store, b);
      const session = sampleSession(lane, { expectRevision: 1 });
      const run = { runId: "r", mayWait: true, ends: [sampleEnd(parent)], closed: [] };
      const result = await store.commit(sampleCommit(claim.epoch, [claim.item.seq], { lane, session, run }));
      assert.deepEqual(result, { status: "done", waiting: 0, revision: 2, run: "waiting" });
      assert.deepEqual(await completionOf(store, a), ["held", "turn"]);
      const ready = await store.read.readyLanes({ afterSeq: 0, limit: 9 });
      assert.ok(!ready.some((other) => other.lane === lane));
      assert.deepEqual(await endRuns(store, sampleEnd(b)), [lane]);
      assert.deepEqual(await completionOf(store, a), ["waiting", "turn"]);
      assert.deepEqual(await completionOf(store, b), ["waiting", "turn"]);
    },
  },
  {
    name: "completions: those of siblings wait for one another, and the last one sets all free, in their order",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      for (const run of [a, b, c]) await acceptRun(store, run);
      await commitDone(store, { step: "release", lane, epoch: claim.epoch, giveBackAttempt: true });
      await claimLane(store, lane, "again");
      assert.deepEqual(await endRuns(store, sampleEnd(b)), []);
      assert.deepEqual(await endRuns(store, sampleEnd(a)), []);
      assert.deepEqual(
        [await completionOf(store, b), await completionOf(store, a)],
        [
          ["held", "turn"],
          ["held", "turn"],
        ],
      );
      assert.deepEqual(await endRuns(store, sampleEnd(c)), [lane]);
      const open = await store.read.openItems({ lane, kinds: ["completion"], limit: 9 });
      assert.deepEqual(
        open.map(({ state, runId }) => [state, runId]),
        [
          ["waiting", "r"],
          ["waiting", "r"],
          ["waiting", "r"],
        ],
      );
      assert.deepEqual(
        open.map(({ body }) => body),
        [b, a, c].map((run) => sampleCompletion(run).body),
      );
      assert.equal((await store.read.lane(lane)).waiting, 3);
    },
  },
  {
    name: "completions: a held one does not wait: it is neither claimed, nor ready, nor counted, but open",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      for (const run of [a, b]) await acceptRun(store, run);
      await commitTurnWaiting(store, claim.epoch, claim.item.seq);
      await endRuns(store, sampleEnd(a));
      assert.deepEqual(await store.read.lane(lane), { lane, epoch: claim.epoch, waiting: 0, active: [] });
      const ready = (await store.read.readyLanes({ limit: 9 })).map((row) => row.lane);
      assert.ok(!ready.includes(lane));
      const empty = { status: "refused", reason: "empty" } as const;
      await assertChangesNothing(store, { step: "claim", lane, owner: "o", claimId: "c" }, empty);
      const [held] = await store.read.openItems({ lane, limit: 9 });
      assert.deepEqual([held?.state, held?.kind], ["held", "completion"]);
      await commitDone(store, { step: "prune", olderThanMs: 0, runsOlderThanMs: 0, limit: 99 });
      assert.deepEqual(await store.read.openItems({ lane, limit: 9 }), [held]);
      assert.equal(await stateOf(store, parent), "waiting");
      await endRuns(store, sampleEnd(b));
      assert.equal((await claimLane(store, lane, "c")).item.seq, held?.seq);
      assert.equal(await stateOf(store, parent), "running");
    },
  },
  {
    name: "completions: a child that is not awaited holds nothing up",
    async run(harness) {
      const store = await harness.open();
      await startParent(store);
      await acceptRun(store, a);
      await acceptRun(store, sampleChild("b", parent, { isAwaited: false }));
      await endRuns(store, sampleEnd(a));
      assert.deepEqual(await completionOf(store, a), ["waiting", "turn"]);
    },
  },
  {
    name: "completions: a reserved child is waited for; undoing it sets free what it held up",
    async run(harness) {
      const store = await harness.open();
      await startParent(store);
      await acceptRun(store, a);
      await reserveRun(store, b);
      await endRuns(store, sampleEnd(a));
      assert.deepEqual(await completionOf(store, a), ["held", "turn"]);
      await commitDone(store, { step: "undo_run", runId: "b" });
      assert.deepEqual(await completionOf(store, a), ["waiting", "turn"]);
    },
  },
  {
    name: "completions: a last child that tells nobody, or somebody else, sets the others free as well",
    async run(harness) {
      const store = await harness.open();
      await startParent(store);
      for (const run of [a, b, c]) await acceptRun(store, run);
      await endRuns(store, sampleEnd(a));
      const { runId: _, ...elsewhere } = sampleCompletion(b, { lane: sampleLane });
      assert.deepEqual(await endRuns(store, sampleEnd(b, { completion: elsewhere })), [sampleLane]);
      assert.deepEqual(await completionOf(store, a), ["held", "turn"]);
      assert.deepEqual(await endRuns(store, sampleQuietEnd(c)), [lane]);
      assert.deepEqual(await completionOf(store, a), ["waiting", "turn"]);
    },
  },
  {
    name: "completions: ends of one step count together",
    async run(harness) {
      const store = await harness.open();
      await startParent(store);
      for (const run of [a, b]) await acceptRun(store, run);
      assert.deepEqual(await endRuns(store, sampleEnd(a), sampleEnd(b)), [lane]);
      assert.deepEqual(
        [await completionOf(store, a), await completionOf(store, b)],
        [
          ["waiting", "turn"],
          ["waiting", "turn"],
        ],
      );
    },
  },
  {
    name: "completions: one that is only to be appended is never held",
    async run(harness) {
      const store = await harness.open();
      await startParent(store);
      for (const run of [a, b]) await acceptRun(store, run);
      const completion = sampleCompletion(a, { wake: "append" });
      assert.deepEqual(await endRuns(store, sampleEnd(a, { completion })), [lane]);
      assert.deepEqual(await completionOf(store, a), ["waiting", "append"]);
    },
  },
  {
    name: "completions: those that a run holds when it ends are appended",
    async run(harness) {
      const store = await harness.open();
      await startParent(store);
      for (const run of [a, b]) await acceptRun(store, run);
      await endRuns(store, sampleEnd(a));
      assert.deepEqual(await endRuns(store, sampleQuietEnd(parent)), [lane]);
      assert.deepEqual(await completionOf(store, a), ["waiting", "append"]);
      assert.deepEqual(await endRuns(store, sampleEnd(b)), [lane]);
      assert.deepEqual(await completionOf(store, b), ["waiting", "append"]);
    },
  },
  {
    name: "completions: one whose dedupe stands is not written again",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, sampleRun("x"));
      const session = sampleSession(sampleLane);
      const { dedupe } = sampleCompletion(sampleRun("x"));
      await commitDone(store, { step: "enqueue", item: sampleItem("first", { lane: session.key, dedupe }) });
      assert.deepEqual(await store.commit(sampleEndRuns([sampleEnd(sampleRun("x"))])), { status: "done", wakes: [] });
      assert.equal((await store.read.openItems({ lane: sampleLane, limit: 9 })).length, 1);
    },
  },
  {
    name: "completions: a child two levels down holds its own parent's, not the grandparent's",
    async run(harness) {
      const store = await harness.open();
      await startParent(store);
      await startRun(store, a);
      const below = sampleChild("b", a);
      await acceptRun(store, below);
      await endRuns(store, sampleEnd(below));
      assert.deepEqual(await completionOf(store, below), ["waiting", "turn"]);
      await endRuns(store, sampleEnd(a));
      assert.deepEqual(await completionOf(store, a), ["waiting", "turn"]);
    },
  },
];

type OpenStore = Parameters<typeof stateOf>[0];

/** The parent's turn ends; it has children to wait for. */
async function commitTurnWaiting(store: OpenStore, epoch: number, seq: number): Promise<void> {
  await commitDone(store, {
    step: "commit_turn",
    lane,
    epoch,
    items: [seq],
    itemState: "done",
    entries: [],
    session: sampleSession(lane, { expectRevision: 1 }),
    deliveries: [],
    run: { runId: "r", mayWait: true, ends: [sampleEnd(parent)], closed: [] },
  });
}
