import assert from "node:assert/strict";
import { commitDone, getRun, reserveRun } from "../run-script.ts";
import { childKey, sampleAccept, sampleRun } from "../sample-run.ts";
import { sampleAudit, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, writeTranscript } from "../store-script.ts";

const conflict = { status: "refused", reason: "conflict" } as const;

export const runGiverCases: readonly StoreCase[] = [
  {
    name: "accept_run: what another session gives up to the child is written with it, or nothing is",
    async run(harness) {
      const store = await harness.open();
      const giver = sampleSession(childKey("giver"), { expectRevision: 1, body: '{"gave":true}' });
      await writeTranscript(store, giver.key);
      const run = sampleRun("a");
      await reserveRun(store, run);
      const step = sampleAccept(run, { giver });
      await assertChangesNothing(store, { ...step, giver: { ...giver, expectRevision: 2 } }, conflict);
      await assertChangesNothing(store, { ...step, giver: { ...giver, expectRevision: 0 } }, conflict);
      await commitDone(store, step);
      const given = await store.read.session(giver.key);
      assert.deepEqual([given?.revision, given?.body], [2, giver.body]);
      await assertChangesNothing(store, step, { status: "already", run: await getRun(store, "a") });
      await commitDone(store, { step: "archive_session", key: giver.key, audit: sampleAudit });
      await reserveRun(store, sampleRun("b"));
      const late = sampleAccept(sampleRun("b"), { giver: { ...giver, expectRevision: 3 } });
      await assertChangesNothing(store, late, conflict);
    },
  },
];
