import assert from "node:assert/strict";
import { isRunTransition, RUN_TRANSITIONS, type RunState } from "../../run-rows.ts";
import type { Store } from "../../store.ts";
import { acceptRun, endRuns, reserveRun, startRun, stateOf } from "../run-script.ts";
import { sampleAccept, sampleChild, sampleEnd, sampleEndRuns, sampleReserve, sampleRun } from "../sample-run.ts";
import { sampleCommit, sampleItem, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { writeTranscript } from "../store-script.ts";

const run = sampleRun("r");
const lane = run.childSessionKey;
const child = sampleChild("below", run);
const STATES: readonly RunState[] = ["reserved", "accepted", "running", "waiting", "ended"];

/** Brings the run into the state. */
const ARRIVE: Readonly<Record<RunState, (store: Store) => Promise<unknown>>> = {
  reserved: (store) => reserveRun(store, run),
  accepted: (store) => acceptRun(store, run),
  running: (store) => startRun(store, run),
  async waiting(store) {
    await startRun(store, run);
    await wait(store);
  },
  async ended(store) {
    await startRun(store, run);
    await endRuns(store, sampleEnd(run));
  },
};

/** Does what brings a run into the state, whatever the store makes of it. */
const TRY: Readonly<Record<RunState, (store: Store) => Promise<unknown>>> = {
  reserved: (store) => store.commit(sampleReserve(run)),
  accepted: (store) => store.commit(sampleAccept(run)),
  async running(store) {
    if ((await store.read.session(lane)) === undefined) await writeTranscript(store, lane);
    await store.commit({ step: "enqueue", item: sampleItem("more", { lane, kind: "nested", runId: run.runId }) });
    await store.commit({ step: "claim", lane, owner: "later", claimId: "later" });
  },
  waiting: wait,
  async ended(store) {
    const ended = await store.commit(sampleEndRuns([sampleEnd(run)]));
    // What is only reserved has nothing to end with.
    if (ended.status === "refused") await store.commit({ step: "undo_run", runId: run.runId });
  },
};

/** Its turn ends while something below it does not. */
async function wait(store: Store): Promise<void> {
  const { epoch, active } = await store.read.lane(lane);
  const session = sampleSession(lane, { expectRevision: 1 });
  if ((await store.read.session(lane)) !== undefined) await store.commit(sampleReserve(child));
  const fate = { runId: run.runId, mayWait: true, ends: [sampleEnd(run)], closed: [] };
  await store.commit(sampleCommit(epoch, active.length === 0 ? [1] : active, { lane, session, run: fate }));
}

function buildCase(from: RunState, to: RunState): StoreCase {
  const isLegal = isRunTransition(from, to);
  return {
    name: `runs: from ${from} to ${to} ${isLegal ? "goes" : "does not go"}`,
    async run(harness) {
      const store = await harness.open();
      await ARRIVE[from](store);
      assert.equal(await stateOf(store, run), from);
      await TRY[to](store);
      assert.equal(await stateOf(store, run), isLegal ? to : from);
    },
  };
}

/** Each state to each: what the table allows happens, and nothing else. */
export const runTransitionCases: readonly StoreCase[] = [
  ...STATES.flatMap((from) => STATES.map((to) => buildCase(from, to))),
  {
    name: "runs: the table knows every state, ends in `ended`, and every state is reached",
    async run() {
      assert.deepEqual(Object.keys(RUN_TRANSITIONS).toSorted(), STATES.toSorted());
      assert.deepEqual(RUN_TRANSITIONS.ended, []);
      const reached = new Set(["reserved", ...Object.values(RUN_TRANSITIONS).flat()]);
      assert.equal(reached.size, STATES.length);
    },
  },
];
