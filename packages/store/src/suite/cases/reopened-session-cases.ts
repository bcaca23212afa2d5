import assert from "node:assert/strict";
import { acceptRun, commitDone, endRuns, startRun, stateOf } from "../run-script.ts";
import { childKey, sampleAccept, sampleQuietEnd, sampleReserve, sampleRun } from "../sample-run.ts";
import { sampleAudit, sampleItem, sampleLane, sampleMessage, sampleReceive, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, receiveAll, receiveOne, writeTranscript } from "../store-script.ts";

const run = sampleRun("a");
const child = childKey("a");
const archiveRun = { step: "archive_run", runId: "a", timers: [] } as const;
const archiveChild = { step: "archive_session", key: child, audit: sampleAudit } as const;
const quiet = sampleQuietEnd(run, { stop: { epoch: 0, sessionId: `id of ${child}`, entries: [] } });

export const reopenedSessionCases: readonly StoreCase[] = [
  {
    name: "an archived session that is written to is archived no more, and its message runs",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await commitDone(store, archiveChild);
      const items = [sampleMessage("m1", { lane: child }), sampleMessage("m2", { lane: child })];
      const [result] = await receiveAll(store, items, { claim: { owner: "o", claimId: "c" } });
      const row = await store.read.session(child);
      assert.deepEqual([row && "archivedAtMs" in row, row?.revision], [false, 3]);
      assert.deepEqual([result?.claim?.session?.revision, result?.claim?.item.seq], [3, result?.seq]);
      assert.deepEqual(
        (await store.read.sessions({ limit: 9 })).map(({ key }) => key),
        [child],
      );
      assert.equal((await store.read.counts()).sessions, 1);
    },
  },
  {
    name: "an archived session that is written to: what follows in the batch finds the revision that this made",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await commitDone(store, archiveChild);
      const reset = (id: string, expectRevision: number) =>
        sampleMessage(id, { lane: child, session: sampleSession(child, { expectRevision, body: '{"isReset":true}' }) });
      const stale = sampleReceive([sampleMessage("m1", { lane: child }), reset("m2", 2)]);
      await assertChangesNothing(store, stale, { status: "refused", reason: "conflict" });
      await receiveAll(store, [reset("m1", 2), reset("m2", 4)]);
      const row = await store.read.session(child);
      assert.deepEqual([row?.revision, row?.body, row && "archivedAtMs" in row], [5, '{"isReset":true}', false]);
    },
  },
  {
    name: "an archived session: a message that access or the cap refuses leaves it archived; a command's text finds no lane",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await commitDone(store, archiveChild);
      await receiveAll(store, [
        sampleMessage("full", { lane: child, laneCap: 0 }),
        sampleMessage("stranger", { lane: "", refused: "no" }),
      ]);
      assert.equal((await store.read.session(child))?.revision, 2);
      const seq = await receiveOne(store, sampleMessage("/c", { kind: "command" }));
      const items = [sampleItem("text", { lane: child })];
      const command = { step: "command", lane: sampleLane, seq, items, deliveries: [] } as const;
      await assertChangesNothing(store, command, { status: "refused", reason: "no_session" });
    },
  },
  {
    name: "a run whose archived child is written to goes on in it with another run",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      await endRuns(store, quiet);
      await commitDone(store, archiveRun);
      await receiveOne(store, sampleMessage("m", { lane: child }));
      const second = sampleRun("b", { childSessionKey: child });
      await commitDone(store, sampleReserve(second));
      const { session: _, ...standing } = sampleAccept(second);
      await commitDone(store, standing);
      assert.deepEqual([await stateOf(store, run), await stateOf(store, second)], ["ended", "accepted"]);
      await startRun(store, sampleRun("c"));
      const children = await store.read.runs({ childSessionKey: child, limit: 9 });
      assert.deepEqual(
        children.map(({ runId }) => runId),
        ["a", "b"],
      );
    },
  },
];
