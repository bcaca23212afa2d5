/** Timers that wait for the turn of an item. */
import assert from "node:assert/strict";
import type { Store } from "../../store.ts";
import { acceptRun, armTimer, commitDone, completionOf, endRuns } from "../run-script.ts";
import { sampleEnd, sampleRun, sampleTask, sampleTimer } from "../sample-run.ts";
import { sampleCommand, sampleCommit, sampleEntries, sampleLane, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveOne, startTurn } from "../store-script.ts";

const sessionId = `id of ${sampleLane}`;
const HOUR_MS = 3_600_000;

function waitFor(itemSeq: number) {
  return sampleTimer("q", { dueInMs: HOUR_MS, itemSeq });
}

/** Whether the timer is due as of its arming. */
async function isDue(store: Store): Promise<boolean> {
  const [timer] = await store.read.timers({ limit: 1 });
  assert.equal(timer?.id, "q");
  assert.ok(timer.dueAtMs === timer.armedAtMs || timer.dueAtMs === timer.armedAtMs + HOUR_MS);
  return timer.dueAtMs === timer.armedAtMs;
}

export const itemTimerCases: readonly StoreCase[] = [
  {
    name: "a timer that waits for a turn: due at once when that is committed, not when it is given back",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await armTimer(store, waitFor(item.seq));
      await commitDone(store, { step: "release", lane: sampleLane, epoch, giveBackAttempt: true });
      const again = await claimLane(store, sampleLane, "again");
      assert.equal(await isDue(store), false);
      assert.equal((await store.read.timers({ limit: 1 }))[0]?.itemSeq, item.seq);
      const step = sampleCommit(again.epoch, [item.seq], { itemState: "quarantined" });
      await commitDone(store, step);
      assert.equal(await isDue(store), true);
      await commitDone(store, { step: "set_timers", arm: [sampleTimer("q", { dueInMs: HOUR_MS })], end: [] });
      await assertChangesNothing(store, { ...step, entries: [] }, { status: "already", waiting: 0, revision: 2 });
      assert.equal(await isDue(store), false);
    },
  },
  {
    name: "a timer that waits for a turn: due at once when a command stops that",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await armTimer(store, waitFor(item.seq));
      const seq = await receiveOne(store, sampleCommand("/stop"));
      const stop = { epoch, sessionId, entries: [] };
      await commitDone(store, { step: "command", lane: sampleLane, seq, items: [], deliveries: [], stop });
      assert.equal(await isDue(store), true);
    },
  },
  {
    name: "a timer that waits for a run's turn: due at once when the run is ended, though no turn of it runs just now",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("r");
      await acceptRun(store, run);
      const task = await store.read.itemByDedupe(sampleTask(run).dedupe);
      await armTimer(store, waitFor(task?.seq ?? 0));
      const stop = { epoch: 0, sessionId: `id of ${run.childSessionKey}`, entries: [] };
      await endRuns(store, sampleEnd(run, { stop }));
      assert.equal(await isDue(store), true);
    },
  },
  {
    name: "a timer that waits for the turn of a completion: due at once when a stop leaves that only to be appended; nobody answers it",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("r");
      await acceptRun(store, run);
      await endRuns(store, sampleEnd(run));
      const { epoch, item } = await claimLane(store, sampleLane, "woken");
      await armTimer(store, waitFor(item.seq));
      const stop = { lane: sampleLane, epoch, sessionId, entries: [] };
      await commitDone(store, { step: "end_runs", ends: [], closed: [], stop });
      assert.deepEqual(await completionOf(store, run), ["waiting", "append"]);
      assert.equal(await isDue(store), true);
      const [entry] = sampleEntries("answer");
      assert.ok(entry);
      const answer = { step: "answer", itemSeq: item.seq, sessionId, entry, arm: [] } as const;
      await assertChangesNothing(store, answer, { status: "refused", reason: "ended" });
    },
  },
  {
    name: "a timer that waits for a turn which is over, or for none: due at once; one that was armed anew without it is not",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await armTimer(store, waitFor(item.seq));
      await armTimer(store, sampleTimer("q", { dueInMs: HOUR_MS }));
      await commitDone(store, sampleCommit(epoch, [item.seq], { session: sampleSession(sampleLane) }));
      assert.equal(await isDue(store), false);
      await armTimer(store, waitFor(item.seq));
      assert.equal(await isDue(store), true);
      await armTimer(store, waitFor(item.seq + 99));
      assert.equal(await isDue(store), true);
    },
  },
];
