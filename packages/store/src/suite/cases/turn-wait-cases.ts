import assert from "node:assert/strict";
import type { Claim } from "../../results.ts";
import type { TurnRun } from "../../run-steps.ts";
import type { CommitTurnStep } from "../../turn-steps.ts";
import { acceptRun, commitDone, endRuns, startParent, stateOf } from "../run-script.ts";
import { childKey, sampleChild, sampleEnd, sampleRun } from "../sample-run.ts";
import { sampleCommit, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane } from "../store-script.ts";

const lane = childKey("r");
const parent = sampleRun("r");
const child = sampleChild("a", parent);
const conflict = { status: "refused", reason: "conflict" } as const;

function commit({ epoch, item }: Claim, expectRevision: number, more: Partial<TurnRun>): CommitTurnStep {
  const run = { runId: "r", mayWait: true, ends: [], closed: [], ...more };
  return sampleCommit(epoch, [item.seq], { lane, session: sampleSession(lane, { expectRevision }), run });
}

/** A turn of a run that is expected to wait brings no end of it. */
export const turnWaitCases: readonly StoreCase[] = [
  {
    name: "commit_turn of a run: without an end of its own it can only wait, else the step is refused",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await acceptRun(store, child);
      const others = { mayWait: false, ends: [sampleEnd(child)] };
      await assertChangesNothing(store, commit(claim, 1, others), conflict);
      await commitDone(store, commit(claim, 1, {}));
      assert.equal(await stateOf(store, parent), "waiting");
      await endRuns(store, sampleEnd(child));
      const last = await claimLane(store, lane, "last");
      await assertChangesNothing(store, commit(last, 2, {}), conflict);
      await commitDone(store, commit(last, 2, { ends: [sampleEnd(parent)] }));
      assert.equal(await stateOf(store, parent), "ended");
    },
  },
];
