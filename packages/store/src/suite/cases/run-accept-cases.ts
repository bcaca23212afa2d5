import assert from "node:assert/strict";
import {
  acceptRun,
  commitDone,
  endRuns,
  getItem,
  getRun,
  listTimerIds,
  reserveRun,
  startParent,
  startRun,
  stateOf,
} from "../run-script.ts";
import { movedLane, sampleRekey } from "../sample-route.ts";
import {
  childKey,
  sampleAccept,
  sampleBinding,
  sampleChild,
  sampleQuietEnd,
  sampleRun,
  sampleTask,
  sampleTimer,
} from "../sample-run.ts";
import { sampleAudit, sampleEntries, sampleLane, sampleMessage, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, startTurn, writeTranscript } from "../store-script.ts";

const conflict = { status: "refused", reason: "conflict" } as const;
const noSession = { status: "refused", reason: "no_session" } as const;
const child = childKey("a");

export const runAcceptCases: readonly StoreCase[] = [
  {
    name: "accept_run: session, what the child knows, task, timers, binding and the new body are one step",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      const entries = sampleEntries("context 1", "context 2");
      const binding = sampleBinding("b", child);
      await reserveRun(store, run);
      const { revision } = await store.read.routes();
      const step = sampleAccept(run, { entries, timers: [sampleTimer("t")], binding });
      const result = await store.commit(step);
      const row = await getRun(store, "a");
      assert.deepEqual(result, { status: "done", run: row });
      assert.deepEqual([row.state, row.body, row.startedAtMs], ["accepted", step.body, undefined]);
      assert.equal((await store.read.session(child))?.revision, 1);
      const written = await store.read.entries({ sessionId: `id of ${child}`, limit: 9 });
      assert.deepEqual(
        written.map((entry) => [entry.id, entry.sessionKey, "itemSeq" in entry]),
        [
          ["context 1", child, false],
          ["context 2", child, false],
        ],
      );
      const task = await getItem(store, sampleTask(run).dedupe);
      assert.deepEqual(
        [task.lane, task.state, task.kind, task.runId, "wake" in task],
        [child, "waiting", "nested", "a", false],
      );
      assert.deepEqual(await store.read.readyLanes({ limit: 9 }), [{ lane: child, firstSeq: task.seq }]);
      const [timer] = await store.read.timers({ limit: 9 });
      assert.deepEqual([timer?.id, timer && timer.dueAtMs - timer.armedAtMs], ["t", 60_000]);
      const { revision: grown, bindings } = await store.read.routes();
      assert.deepEqual([grown, bindings.map(({ id }) => id)], [revision + 1, ["b"]]);
      await assertChangesNothing(store, step, { status: "already", run: row });
      await claimLane(store, child, "c1");
      await assertChangesNothing(store, step, { status: "already", run: await getRun(store, "a") });
    },
  },
  {
    name: "accept_run: a child whose session stands goes on in it",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child, "earlier");
      await reserveRun(store, sampleRun("a"));
      const { session: _, ...step } = sampleAccept(sampleRun("a"), { entries: sampleEntries("context") });
      await commitDone(store, step);
      const entries = await store.read.entries({ sessionId: `id of ${child}`, limit: 9 });
      assert.deepEqual(
        entries.map(({ id }) => id),
        ["earlier", "context"],
      );
      assert.equal((await store.read.session(child))?.revision, 1);
    },
  },
  {
    name: "accept_run: an unknown run is not found, an undone one is in the wrong state",
    async run(harness) {
      const store = await harness.open();
      const step = sampleAccept(sampleRun("a"));
      await assertChangesNothing(store, step, { status: "refused", reason: "not_found" });
      await reserveRun(store, sampleRun("a"));
      await commitDone(store, { step: "undo_run", runId: "a" });
      await assertChangesNothing(store, step, { status: "refused", reason: "wrong_state" });
    },
  },
  {
    name: "accept_run: refused where the parent has ended since then",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      const run = sampleChild("a", parent);
      await reserveRun(store, run);
      await endRuns(store, sampleQuietEnd(parent));
      await assertChangesNothing(store, sampleAccept(run), { status: "refused", reason: "ended" });
    },
  },
  {
    name: "accept_run: a session to insert that stands, or stood until it was archived, is a conflict",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await reserveRun(store, sampleRun("a"));
      await assertChangesNothing(store, sampleAccept(sampleRun("a")), conflict);
      const run = sampleRun("b");
      await writeTranscript(store, childKey("b"));
      await commitDone(store, { step: "archive_session", key: childKey("b"), audit: sampleAudit });
      await reserveRun(store, run);
      await assertChangesNothing(store, sampleAccept(run), conflict);
      const { session: _, ...standing } = sampleAccept(run);
      await assertChangesNothing(store, standing, noSession);
    },
  },
  {
    name: "accept_run: a child or a requester without a session is refused",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      await reserveRun(store, run);
      const { session: _, ...standing } = sampleAccept(run);
      await assertChangesNothing(store, standing, noSession);
    },
  },
  {
    name: "accept_run: one that was decided for a requester whose key is another by now is a conflict",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      await reserveRun(store, run);
      await commitDone(store, sampleRekey());
      const step = sampleAccept(run, { requesterSessionKey: sampleLane });
      await assertChangesNothing(store, step, conflict);
      await commitDone(store, { ...step, requesterSessionKey: movedLane });
    },
  },
  {
    name: "accept_run for a turn: fenced once another one has the requester's lane; already where it was accepted before",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      const { epoch } = await startTurn(store);
      await reserveRun(store, run);
      const step = sampleAccept(run, { epoch });
      await commitDone(store, { step: "release", lane: sampleLane, epoch, giveBackAttempt: false });
      await assertChangesNothing(store, step, { status: "fenced" });
      await claimLane(store, sampleLane, "the next claim");
      await assertChangesNothing(store, step, { status: "fenced" });
      await commitDone(store, { ...step, epoch: epoch + 1 });
      await assertChangesNothing(store, step, { status: "already", run: await getRun(store, "a") });
    },
  },
  {
    name: "accept_run: a task for another lane than the child's is a conflict",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      await reserveRun(store, run);
      const item = sampleTask(run, { lane: sampleLane });
      await assertChangesNothing(store, sampleAccept(run, { item }), conflict);
    },
  },
  {
    name: "a claim of its task makes the run running, and what a cut-off turn leaves keeps it so",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, sampleRun("a"));
      await harness.advance?.(1_000);
      const { epoch } = await claimLane(store, child, "c1");
      const { state, startedAtMs, changedAtMs, createdAtMs } = await getRun(store, "a");
      assert.deepEqual([state, startedAtMs, changedAtMs], ["running", createdAtMs + 1_000, createdAtMs + 1_000]);
      await commitDone(store, { step: "release", lane: child, epoch, giveBackAttempt: false });
      assert.equal(await stateOf(store, sampleRun("a")), "running");
      await harness.advance?.(1_000);
      await claimLane(store, child, "c2");
      assert.equal((await getRun(store, "a")).changedAtMs, changedAtMs);
      await commitDone(store, { step: "recover", owner: "another" });
      assert.equal(await stateOf(store, sampleRun("a")), "running");
    },
  },
  {
    name: "a claim that is fused with the receipt of the run's input makes it running as well, begun with its first turn",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      const { claim, parent } = await startParent(store);
      await reserveRun(store, sampleChild("a", parent));
      const session = sampleSession(parent.childSessionKey, { expectRevision: 1 });
      const turn = { runId: "r", mayWait: true, ends: [], closed: [] };
      const { lane, epoch, item } = claim;
      const commit = {
        step: "commit_turn",
        lane,
        epoch,
        items: [item.seq],
        itemState: "done",
        session,
        run: turn,
      } as const;
      await commitDone(store, { ...commit, entries: [], deliveries: [] });
      assert.equal(await stateOf(store, parent), "waiting");
      const { startedAtMs = 0 } = await getRun(store, "r");
      await harness.advance?.(1_000);
      const steered = sampleMessage("more", { lane, runId: "r" });
      await receiveAll(store, [steered], { claim: { owner: "o", claimId: "c2" } });
      const row = await getRun(store, "r");
      assert.deepEqual([row.state, row.startedAtMs, row.changedAtMs], ["running", startedAtMs, startedAtMs + 1_000]);
    },
  },
  {
    name: "a claim of what is only appended, or works for no run, leaves the run alone",
    async run(harness) {
      const store = await harness.open();
      const { parent, claim } = await startParent(store);
      await commitDone(store, { step: "release", lane: claim.lane, epoch: claim.epoch, giveBackAttempt: false });
      const run = sampleRun("a", { childSessionKey: sampleLane });
      await reserveRun(store, run);
      const { session: _, ...standing } = sampleAccept(run);
      const item = sampleTask(run, { wake: "append" });
      await commitDone(store, { ...standing, item });
      const claimed = await claimLane(store, sampleLane, "c1");
      assert.equal(claimed.item.wake, "append");
      assert.deepEqual([await stateOf(store, run), await stateOf(store, parent)], ["accepted", "running"]);
    },
  },
  {
    name: "a second run of one child session waits its turn in the child's lane",
    async run(harness) {
      const store = await harness.open();
      await startRun(store, sampleRun("a"));
      const second = sampleRun("b", { childSessionKey: child });
      await reserveRun(store, second);
      const { session: _, ...standing } = sampleAccept(second);
      await commitDone(store, standing);
      assert.equal(await stateOf(store, second), "accepted");
      assert.deepEqual(await listTimerIds(store), []);
      assert.equal((await store.read.lane(child)).waiting, 1);
    },
  },
];
