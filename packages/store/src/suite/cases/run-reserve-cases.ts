import assert from "node:assert/strict";
import { acceptRun, commitDone, endRuns, getRun, reserveRun, startParent, stateOf } from "../run-script.ts";
import {
  childKey,
  sampleAccept,
  sampleChild,
  sampleEnd,
  sampleQuietEnd,
  sampleReserve,
  sampleRun,
} from "../sample-run.ts";
import { sampleAudit, sampleLane } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, startTurn, writeTranscript } from "../store-script.ts";

const noSession = { status: "refused", reason: "no_session" } as const;
const tooManyChildren = { status: "refused", reason: "children" } as const;
const fullTree = { status: "refused", reason: "tree" } as const;
const parentEnded = { status: "refused", reason: "ended" } as const;

export const runReserveCases: readonly StoreCase[] = [
  {
    name: "reserve_run: the run stands as reserved and nothing runs; a repeat answers it as it is by then",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane);
      const run = sampleRun("a", { spawnSeq: 7 });
      const result = await store.commit(sampleReserve(run));
      const row = await getRun(store, "a");
      assert.deepEqual(result, { status: "done", run: row });
      const { createdAtMs, changedAtMs, ...rest } = row;
      assert.deepEqual([rest, changedAtMs], [{ ...run, state: "reserved" }, createdAtMs]);
      assert.equal((await store.read.counts()).unfinishedRuns, 1);
      assert.equal(await store.read.session(childKey("a")), undefined);
      assert.deepEqual(await store.read.readyLanes({ limit: 9 }), []);
      await assertChangesNothing(store, sampleReserve(run), { status: "already", run: row });
      await commitDone(store, sampleAccept(run));
      const again = sampleReserve(sampleRun("b", { dedupe: run.dedupe }));
      await assertChangesNothing(store, again, { status: "already", run: await getRun(store, "a") });
      assert.equal((await store.read.runByDedupe(run.dedupe))?.state, "accepted");
    },
  },
  {
    name: "reserve_run: a run that has ended still keeps its call from spawning twice",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      await acceptRun(store, run);
      await endRuns(store, sampleEnd(run));
      await assertChangesNothing(store, sampleReserve(sampleRun("b", { dedupe: run.dedupe })), {
        status: "already",
        run: await getRun(store, "a"),
      });
    },
  },
  {
    name: "reserve_run: another run's id is a conflict",
    async run(harness) {
      const store = await harness.open();
      await reserveRun(store, sampleRun("a"));
      const other = sampleReserve(sampleRun("a", { dedupe: "another call" }));
      await assertChangesNothing(store, other, { status: "refused", reason: "conflict" });
    },
  },
  {
    name: "reserve_run: a requester without a session, or with an archived one, is refused",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, sampleReserve(sampleRun("a")), noSession);
      await writeTranscript(store, sampleLane);
      await commitDone(store, { step: "archive_session", key: sampleLane, audit: sampleAudit });
      await assertChangesNothing(store, sampleReserve(sampleRun("a")), noSession);
    },
  },
  {
    name: "reserve_run: a parent that has ended asks for nothing more",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      await endRuns(store, sampleQuietEnd(parent));
      await assertChangesNothing(store, sampleReserve(sampleChild("a", parent)), parentEnded);
      const orphan = sampleChild("a", sampleRun("nobody", { childSessionKey: sampleLane }));
      await assertChangesNothing(store, sampleReserve(orphan), parentEnded);
    },
  },
  {
    name: "reserve_run: no more than `mostChildren` of one requester, reserved ones counted, ended ones not",
    async run(harness) {
      const store = await harness.open();
      await reserveRun(store, sampleRun("a"));
      await acceptRun(store, sampleRun("b"));
      const third = sampleReserve(sampleRun("c"), { mostChildren: 2 });
      await assertChangesNothing(store, third, tooManyChildren);
      await endRuns(store, sampleEnd(sampleRun("b")));
      await commitDone(store, third);
    },
  },
  {
    name: "reserve_run: no more than `mostTreeRuns` below one root, whoever asks for them",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      await reserveRun(store, sampleChild("a", parent));
      const third = sampleReserve(sampleChild("b", parent), { mostTreeRuns: 2 });
      await assertChangesNothing(store, third, fullTree);
      const elsewhere = sampleChild("c", parent, { rootSessionKey: "another root" });
      await commitDone(store, sampleReserve(elsewhere, { mostTreeRuns: 1 }));
      await commitDone(store, { step: "undo_run", runId: "a" });
      await commitDone(store, third);
    },
  },
  {
    name: "reserve_run for a turn: fenced unless the requester's lane runs at that epoch; its own repeat is already there",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      const fenced = { status: "fenced" } as const;
      const reserve = sampleReserve(sampleRun("a"), { epoch });
      for (const other of [epoch - 1, epoch + 1])
        await assertChangesNothing(store, { ...reserve, epoch: other }, fenced);
      await commitDone(store, reserve);
      await commitDone(store, { step: "release", lane: sampleLane, epoch, giveBackAttempt: false });
      const already = { status: "already", run: await getRun(store, "a") } as const;
      const another = sampleReserve(sampleRun("b", { dedupe: reserve.run.dedupe }), { epoch });
      await assertChangesNothing(store, reserve, already);
      await assertChangesNothing(store, another, fenced);
      await claimLane(store, sampleLane, "the next claim");
      await assertChangesNothing(store, reserve, already);
      await assertChangesNothing(store, another, fenced);
      await assertChangesNothing(store, { ...another, epoch: epoch + 1 }, already);
    },
  },
  {
    name: "undo_run: nobody is told, and its call may spawn again",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      await reserveRun(store, run);
      await commitDone(store, { step: "undo_run", runId: "a" });
      const { state, endedReason, settledBy, endedAtMs, changedAtMs } = await getRun(store, "a");
      assert.deepEqual([state, endedReason, settledBy], ["ended", "spawn-failed", "nobody"]);
      assert.equal(endedAtMs, changedAtMs);
      assert.equal(await store.read.runByDedupe(run.dedupe), undefined);
      assert.deepEqual(await store.read.runs({ unsettled: true, limit: 9 }), []);
      await assertChangesNothing(store, { step: "undo_run", runId: "a" }, { status: "already" });
      await commitDone(store, sampleReserve(sampleRun("b", { dedupe: run.dedupe })));
      assert.equal((await store.read.runByDedupe(run.dedupe))?.runId, "b");
      assert.equal(await stateOf(store, run), "ended");
    },
  },
  {
    name: "undo_run: refused for an unknown run and for one that was accepted",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, sampleRun("a"));
      const undo = (runId: string) => ({ step: "undo_run", runId }) as const;
      await assertChangesNothing(store, undo("a"), { status: "refused", reason: "wrong_state" });
      await assertChangesNothing(store, undo("b"), { status: "refused", reason: "not_found" });
    },
  },
];
