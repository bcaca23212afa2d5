import assert from "node:assert/strict";
import {
  acceptRun,
  armTimer,
  commitDone,
  endRuns,
  getRun,
  listTimerIds,
  reserveRun,
  startParent,
} from "../run-script.ts";
import {
  childKey,
  sampleBinding,
  sampleChild,
  sampleCompletion,
  sampleEnd,
  sampleQuietEnd,
  sampleReserve,
  sampleRun,
  sampleTimer,
} from "../sample-run.ts";
import {
  otherLane,
  sampleAudit,
  sampleCommit,
  sampleDelivery,
  sampleLane,
  sampleMessage,
  sampleSession,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import {
  assertChangesNothing,
  claimLane,
  receiveOne,
  startTurn,
  writeDelivery,
  writeTranscript,
} from "../store-script.ts";

const run = sampleRun("a");
const child = childKey("a");
const busy = { status: "refused", reason: "busy" } as const;
const already = { status: "already" } as const;
const archiveRun = { step: "archive_run", runId: "a", timers: [] } as const;
const archiveChild = { step: "archive_session", key: child, audit: sampleAudit } as const;
const quiet = sampleQuietEnd(run, { stop: { epoch: 0, sessionId: `id of ${child}`, entries: [] } });

export const archiveCases: readonly StoreCase[] = [
  {
    name: "archive_run: run and session are marked, bindings and the timer go, others are armed; a repeat is already",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run, { binding: sampleBinding("b", child) });
      await endRuns(store, quiet);
      await harness.advance?.(1_000);
      const timer = await armTimer(store, sampleTimer("archive"));
      const { revision } = await store.read.routes();
      const { sessions } = await store.read.counts();
      const step = { ...archiveRun, timer, timers: [sampleTimer("remove")] };
      await commitDone(store, step);
      const { archivedAtMs, endedAtMs = 0 } = await getRun(store, "a");
      const session = await store.read.session(child);
      assert.deepEqual([archivedAtMs, session?.archivedAtMs], [endedAtMs + 1_000, endedAtMs + 1_000]);
      assert.deepEqual([session?.revision, session?.body], [2, sampleSession(child).body]);
      const routes = await store.read.routes();
      assert.deepEqual([routes.revision, routes.bindings, await listTimerIds(store)], [revision + 1, [], ["remove"]]);
      assert.equal((await store.read.counts()).sessions, sessions - 1);
      await assertChangesNothing(store, step, already);
      const late = await armTimer(store, sampleTimer("archive"));
      assert.deepEqual(await store.commit({ ...archiveRun, timer: late }), already);
      assert.deepEqual(await listTimerIds(store), ["remove"]);
    },
  },
  {
    name: "an archived session is listed no more, but still found by its key, its id and its file",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane);
      await writeTranscript(store, child, "e");
      await commitDone(store, archiveChild);
      assert.deepEqual(
        (await store.read.sessions({ limit: 9 })).map(({ key }) => key),
        [sampleLane],
      );
      const row = await store.read.session(child);
      assert.ok(row?.archivedAtMs !== undefined);
      const { sessionId, file } = sampleSession(child);
      assert.deepEqual(await store.read.sessionById(sessionId), row);
      assert.deepEqual(await store.read.sessionByFile("main", file), row);
      assert.equal((await store.read.entries({ sessionId, limit: 9 })).length, 1);
      const write = {
        step: "write_session",
        writeId: "w",
        session: sampleSession(child, { expectRevision: 2 }),
      } as const;
      await commitDone(store, write);
      assert.equal((await store.read.session(child))?.archivedAtMs, row.archivedAtMs);
      assert.equal((await store.read.audit({ limit: 9 })).length, 1);
      await assertChangesNothing(store, archiveChild, already);
    },
  },
  {
    name: "archive_run: not found, the wrong state while it runs, and nothing for a timer that was armed anew",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, archiveRun, { status: "refused", reason: "not_found" });
      await acceptRun(store, run);
      await assertChangesNothing(store, archiveRun, { status: "refused", reason: "wrong_state" });
      await endRuns(store, quiet);
      const timer = await armTimer(store, sampleTimer("archive"));
      await harness.advance?.(1);
      await armTimer(store, sampleTimer("archive"));
      await assertChangesNothing(store, { ...archiveRun, timer }, already);
    },
  },
  {
    name: "archive_run: busy while the child has another run or children that are not through",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      const below = sampleChild("b", run);
      await commitDone(store, sampleReserve(below));
      await endRuns(store, quiet);
      await assertChangesNothing(store, archiveRun, busy);
      await assertChangesNothing(store, archiveChild, busy);
      await commitDone(store, { step: "undo_run", runId: "b" });
      const second = sampleRun("c", { childSessionKey: child });
      await commitDone(store, sampleReserve(second));
      await assertChangesNothing(store, archiveRun, busy);
      await assertChangesNothing(store, archiveChild, busy);
      await commitDone(store, { step: "undo_run", runId: "c" });
      await commitDone(store, archiveRun);
    },
  },
  {
    name: "archive: busy while something waits in the child's lane, a command too, runs there or is held",
    async run(harness) {
      const store = await harness.open();
      const { parent, claim } = await startParent(store);
      const archiveParent = { step: "archive_session", key: parent.childSessionKey, audit: sampleAudit } as const;
      const ended = sampleChild("a", parent);
      const other = sampleChild("b", parent, { requesterSessionKey: sampleLane });
      for (const each of [ended, other]) await acceptRun(store, each);
      await assertChangesNothing(store, archiveParent, busy);
      await endRuns(store, sampleEnd(ended));
      const stop = { epoch: claim.epoch, sessionId: `id of ${claim.lane}`, entries: [] };
      await commitDone(store, { step: "release", lane: claim.lane, epoch: claim.epoch, giveBackAttempt: true });
      await assertChangesNothing(store, { ...archiveRun, runId: "r" }, { status: "refused", reason: "wrong_state" });
      await endRuns(store, sampleQuietEnd(parent, { stop }));
      await assertChangesNothing(store, { ...archiveRun, runId: "r" }, busy);
      await assertChangesNothing(store, archiveParent, busy);
      const { epoch, item } = await claimLane(store, claim.lane, "c2");
      await assertChangesNothing(store, archiveParent, busy);
      const session = sampleSession(claim.lane, { expectRevision: 1 });
      await commitDone(store, sampleCommit(epoch, [item.seq], { lane: claim.lane, session }));
      await receiveOne(store, sampleMessage("/c", { lane: claim.lane, kind: "command" }));
      await assertChangesNothing(store, archiveParent, busy);
    },
  },
  {
    name: "archive_session: busy while a completion is held in its lane for a run of another session",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      const [ended, other] = [sampleChild("a", parent), sampleChild("b", parent)];
      for (const each of [ended, other]) await acceptRun(store, each);
      await writeTranscript(store, otherLane);
      await endRuns(store, sampleEnd(ended, { completion: sampleCompletion(ended, { lane: otherLane }) }));
      await assertChangesNothing(store, { ...archiveChild, key: otherLane }, busy);
    },
  },
  {
    name: "archive_run: busy until its completion was taken up by its requester",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      await endRuns(store, sampleEnd(run, quiet.stop ? { stop: quiet.stop } : {}));
      await assertChangesNothing(store, archiveRun, busy);
      const { epoch, item } = await claimLane(store, sampleLane, "c");
      await assertChangesNothing(store, archiveRun, busy);
      await commitDone(store, sampleCommit(epoch, [item.seq], { itemState: "quarantined" }));
      await commitDone(store, archiveRun);
    },
  },
  {
    name: "archive_run: busy while a delivery that tells of it, or that its session wrote, is not settled",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      const told = sampleDelivery("told", { kind: "completion", runId: "a", sendingOwner: "o" });
      await endRuns(store, { ...quiet, deliveries: [told] });
      await assertChangesNothing(store, archiveRun, busy);
      await commitDone(store, { step: "settle", id: "told", attempt: 1, outcome: { state: "unknown", error: "e" } });
      await writeDelivery(store, sampleDelivery("own", { sessionKey: child }));
      await assertChangesNothing(store, archiveRun, busy);
      await commitDone(store, { step: "attempt", id: "own", owner: "o", attempt: 1 });
      await assertChangesNothing(store, archiveRun, busy);
      const outcome = { state: "stuck", error: "e", retryInMs: 0 } as const;
      await commitDone(store, { step: "settle", id: "own", attempt: 1, outcome });
      await assertChangesNothing(store, archiveRun, busy);
      await commitDone(store, { step: "drop_delivery", id: "own", audit: sampleAudit });
      await commitDone(store, archiveRun);
    },
  },
  {
    name: "archive_run: where its session is archived already, the run alone is marked",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      await endRuns(store, quiet);
      await commitDone(store, archiveChild);
      const before = await store.read.session(child);
      await commitDone(store, archiveRun);
      assert.deepEqual(await store.read.session(child), before);
      assert.ok((await getRun(store, "a")).archivedAtMs !== undefined);
    },
  },
  {
    name: "archive_session: an unknown session is not found",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, archiveChild, { status: "refused", reason: "not_found" });
    },
  },
  {
    name: "archive_session: a session that waits for an answer of its own goes on; its deliveries do not keep it",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const archive = { step: "archive_session", key: sampleLane, audit: sampleAudit } as const;
      await assertChangesNothing(store, archive, busy);
      const deliveries = [sampleDelivery("d", { sessionKey: sampleLane })];
      await commitDone(store, sampleCommit(epoch, [item.seq], { deliveries }));
      await reserveRun(store, run);
      await assertChangesNothing(store, archive, busy);
      await commitDone(store, { step: "undo_run", runId: "a" });
      await commitDone(store, archive);
      assert.equal((await store.read.delivery("d"))?.state, "pending");
    },
  },
];
