import assert from "node:assert/strict";
import {
  acceptRun,
  armTimer,
  commitDone,
  completionOf,
  endRuns,
  getItem,
  getRun,
  listTimerIds,
  reserveRun,
  startParent,
  startRun,
  stateOf,
} from "../run-script.ts";
import {
  childKey,
  sampleBinding,
  sampleChild,
  sampleCompletion,
  sampleEnd,
  sampleEndRuns,
  sampleQuietEnd,
  sampleRun,
  sampleTimer,
} from "../sample-run.ts";
import { sampleAudit, sampleDelivery, sampleLane, sampleOwner, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, getDelivery, writeTranscript } from "../store-script.ts";

const conflict = { status: "refused", reason: "conflict" } as const;
const already = { status: "already" } as const;
const a = sampleRun("a");
const b = sampleRun("b");

export const runEndCases: readonly StoreCase[] = [
  {
    name: "end_runs: the end, the requester's completion, what the chat is told and the child's record are one step",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a, { timers: [sampleTimer("timeout")], binding: sampleBinding("b", childKey("a")) });
      const { revision } = await store.read.routes();
      const session = sampleSession(childKey("a"), { expectRevision: 1, body: '{"isOver":true}' });
      const end = sampleEnd(a, {
        target: "test|default|told",
        deliveries: [sampleDelivery("d", { kind: "completion", runId: "a", sendingOwner: sampleOwner })],
        timers: [sampleTimer("archive")],
        endTimers: ["timeout"],
        session,
        unbinds: true,
      });
      const step = sampleEndRuns([end], { audit: sampleAudit });
      assert.deepEqual(await store.commit(step), { status: "done", wakes: [sampleLane] });
      const row = await getRun(store, "a");
      assert.deepEqual(
        [row.state, row.endedReason, row.result, row.target, row.toldSessionKey, row.settledBy],
        ["ended", "complete", end.result, "test|default|told", sampleLane, undefined],
      );
      assert.equal(row.endedAtMs, row.changedAtMs);
      const completion = await getItem(store, "completion|a");
      assert.deepEqual([completion.lane, completion.kind, completion.state], [sampleLane, "completion", "waiting"]);
      assert.deepEqual(
        [(await getDelivery(store, "d")).state, (await getDelivery(store, "d")).runId],
        ["sending", "a"],
      );
      assert.deepEqual(await listTimerIds(store), ["archive"]);
      assert.equal((await store.read.session(childKey("a")))?.body, session.body);
      const routes = await store.read.routes();
      assert.deepEqual([routes.revision, routes.bindings], [revision + 1, []]);
      assert.equal((await store.read.audit({ limit: 9 })).length, 1);
      assert.equal((await store.read.counts()).unfinishedRuns, 0);
      await assertChangesNothing(store, step, already);
    },
  },
  {
    name: "end_runs: nobody is left to tell, so no session was told",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      assert.deepEqual(await endRuns(store, sampleQuietEnd(a)), []);
      const { settledBy, toldSessionKey } = await getRun(store, "a");
      assert.deepEqual([settledBy, toldSessionKey], ["nobody", undefined]);
      assert.equal(await store.read.itemByDedupe("completion|a"), undefined);
    },
  },
  {
    name: "end_runs: all or none; one that has ended, is reserved or unknown is a conflict",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      await acceptRun(store, b);
      await reserveRun(store, sampleRun("c"));
      await endRuns(store, sampleEnd(b));
      for (const other of [b, sampleRun("c"), sampleRun("unknown")])
        await assertChangesNothing(store, sampleEndRuns([sampleEnd(a), sampleEnd(other)]), conflict);
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(sampleRun("c"))]), conflict);
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(b), sampleEnd(a)]), conflict);
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(b)]), already);
    },
  },
  {
    name: "end_runs: another revision of the child's record or another epoch of its lane is a conflict",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startRun(store, a);
      const session = sampleSession(childKey("a"), { expectRevision: 2 });
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(a, { session })]), conflict);
      for (const other of [epoch - 1, epoch + 1]) {
        const stop = { epoch: other, sessionId: `id of ${childKey("a")}`, entries: [] };
        await assertChangesNothing(store, sampleEndRuns([sampleEnd(a, { stop })]), conflict);
      }
    },
  },
  {
    name: "end_runs: a completion for a lane without a session, or with an archived one, is a conflict",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      const lost = sampleCompletion(a, { lane: "agent:nobody:main" });
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(a, { completion: lost })]), conflict);
      await writeTranscript(store, childKey("b"));
      await commitDone(store, { step: "archive_session", key: childKey("b"), audit: sampleAudit });
      const archived = sampleCompletion(a, { lane: childKey("b") });
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(a, { completion: archived })]), conflict);
    },
  },
  {
    name: "end_runs: a session that is to be closed must keep no unfinished child, not even a reserved one",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      await acceptRun(store, b);
      const closed = [sampleLane];
      await assertChangesNothing(store, sampleEndRuns([sampleQuietEnd(a)], { closed }), conflict);
      await reserveRun(store, sampleRun("c"));
      const both = sampleEndRuns([sampleQuietEnd(a), sampleQuietEnd(b)], { closed });
      await assertChangesNothing(store, both, conflict);
      await commitDone(store, { step: "undo_run", runId: "c" });
      await commitDone(store, both);
      assert.deepEqual(await store.commit(sampleEndRuns([], { closed })), { status: "done", wakes: [] });
    },
  },
  {
    name: "end_runs: a run that is to be closed must keep no unfinished child, whoever else its session works for",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      const child = sampleChild("child", a);
      await acceptRun(store, child);
      const closedRuns = [a.runId];
      await assertChangesNothing(store, sampleEndRuns([sampleQuietEnd(a)], { closedRuns }), conflict);
      await commitDone(store, sampleEndRuns([sampleQuietEnd(child), sampleQuietEnd(a)], { closedRuns }));
    },
  },
  {
    name: "end_runs: where only some of its runs have ended meanwhile it is a conflict, and the timer stays",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      await acceptRun(store, b);
      const timer = await armTimer(store, sampleTimer("timeout"));
      await endRuns(store, sampleEnd(a));
      await assertChangesNothing(store, sampleEndRuns([sampleQuietEnd(a), sampleQuietEnd(b)], { timer }), conflict);
      await endRuns(store, sampleEnd(b));
      assert.deepEqual(await store.commit(sampleEndRuns([sampleQuietEnd(a), sampleQuietEnd(b)], { timer })), already);
      assert.deepEqual(await listTimerIds(store), []);
    },
  },
  {
    name: "end_runs: a timer that was armed anew, or is gone, fires nothing",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      const fired = await armTimer(store, sampleTimer("timeout"));
      await harness.advance?.(1);
      const later = await armTimer(store, sampleTimer("timeout"));
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(a)], { timer: fired }), already);
      const unknown = { id: "unknown", dueAtMs: later.dueAtMs };
      await assertChangesNothing(store, sampleEndRuns([sampleEnd(a)], { timer: unknown }), already);
      await commitDone(store, sampleEndRuns([sampleEnd(a)], { timer: later }));
      assert.deepEqual(await listTimerIds(store), []);
    },
  },
  {
    name: "end_runs: the timer of a run that has ended already goes",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      const timer = await armTimer(store, sampleTimer("timeout"));
      await endRuns(store, sampleEnd(a));
      assert.deepEqual(await store.commit(sampleEndRuns([sampleEnd(a)], { timer })), already);
      assert.deepEqual(await listTimerIds(store), []);
    },
  },
  {
    name: "announce_run: the host tells the chat once, and the timer goes",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, a);
      const timer = await armTimer(store, sampleTimer("silence"));
      const announce = (id: string) =>
        ({
          step: "announce_run",
          runId: "a",
          deliveries: [sampleDelivery(id, { kind: "completion" })],
          timer,
        }) as const;
      await assertChangesNothing(store, announce("d"), { status: "refused", reason: "wrong_state" });
      await endRuns(store, sampleEnd(a));
      const { changedAtMs } = await getRun(store, "a");
      await commitDone(store, announce("d"));
      const row = await getRun(store, "a");
      assert.deepEqual([row.settledBy, row.state, row.changedAtMs], ["host", "ended", changedAtMs]);
      assert.deepEqual(await listTimerIds(store), []);
      await assertChangesNothing(store, announce("d"), already);
      const again = await armTimer(store, sampleTimer("silence"));
      assert.deepEqual(await store.commit({ ...announce("e"), timer: again }), already);
      assert.deepEqual([await listTimerIds(store), await store.read.delivery("e")], [[], undefined]);
    },
  },
  {
    name: "announce_run: an unknown run is not found; a timer that is gone comes first",
    async run(harness) {
      const store = await harness.open();
      const step = { step: "announce_run", runId: "a", deliveries: [] } as const;
      await assertChangesNothing(store, step, { status: "refused", reason: "not_found" });
      await assertChangesNothing(store, { ...step, timer: { id: "gone", dueAtMs: 0 } }, already);
    },
  },
  {
    name: "end_runs: children before their parents; a completion for a parent that ends with it is only appended",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      const child = sampleChild("a", parent);
      await startRun(store, child);
      await endRuns(store, sampleEnd(child), sampleEnd(parent));
      assert.deepEqual([await stateOf(store, child), await stateOf(store, parent)], ["ended", "ended"]);
      assert.deepEqual(await completionOf(store, child), ["waiting", "append"]);
      assert.deepEqual(await completionOf(store, parent), ["waiting", "turn"]);
    },
  },
];
