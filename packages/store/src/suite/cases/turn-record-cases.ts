import assert from "node:assert/strict";
import { acceptRun, commitDone, endRuns, startParent } from "../run-script.ts";
import { childKey, sampleChild, sampleEnd, sampleRun } from "../sample-run.ts";
import { sampleCommit, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { claimLane } from "../store-script.ts";

const lane = childKey("r");
const parent = sampleRun("r");
const child = sampleChild("a", parent);

/** Which record a session has behind a turn that worked for a run. */
export const turnRecordCases: readonly StoreCase[] = [
  {
    name: "commit_turn of a run: the record of its end takes the place of the turn's own, unless the run waits",
    async run(harness) {
      const store = await harness.open();
      const { claim } = await startParent(store);
      await acceptRun(store, child);
      const own = sampleSession(lane, { expectRevision: 1, body: '{"of":"the turn"}' });
      const ended = sampleSession(lane, { expectRevision: 1, body: '{"of":"the end"}' });
      const rest = { runId: "r", mayWait: true, closed: [] };
      const run = { ...rest, ends: [sampleEnd(parent, { session: ended })] };
      await commitDone(store, sampleCommit(claim.epoch, [claim.item.seq], { lane, session: own, run }));
      const waiting = await store.read.session(lane);
      assert.deepEqual([waiting?.revision, waiting?.body], [2, own.body]);
      await endRuns(store, sampleEnd(child));
      const last = await claimLane(store, lane, "last");
      const next = { expectRevision: 2 };
      const lastRun = { ...rest, ends: [sampleEnd(parent, { session: { ...ended, ...next } })] };
      const session = { ...own, ...next };
      await commitDone(store, sampleCommit(last.epoch, [last.item.seq], { lane, session, run: lastRun }));
      const row = await store.read.session(lane);
      assert.deepEqual([row?.revision, row?.body], [3, ended.body]);
    },
  },
];
