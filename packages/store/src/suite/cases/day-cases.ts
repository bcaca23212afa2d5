import assert from "node:assert/strict";
import type { DayCount, SessionWrite } from "../../new-rows.ts";
import type { WriteSessionStep } from "../../steps.ts";
import type { Store } from "../../store.ts";
import { otherLane, sampleAudit, sampleCommit, sampleDays, sampleLane, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, startTurn } from "../store-script.ts";

const [today, tomorrow, others] = sampleDays;

function count(more: Partial<DayCount> = {}): DayCount {
  return { ...today, turns: 1, tokens: 10, costUsd: 0.5, ...more };
}

function write(writeId: string, more: Partial<SessionWrite>, key = sampleLane): WriteSessionStep {
  return { step: "write_session", writeId, session: sampleSession(key, more) };
}

/** Of each sample day, in order. */
function readAll({ read }: Store) {
  return Promise.all(sampleDays.map((query) => read.dayUsed(query)));
}

export const dayCases: readonly StoreCase[] = [
  {
    name: "a day's use: of each subject and day there is one sum, over all sessions that count in it",
    async run(harness) {
      const store = await harness.open();
      assert.deepEqual(await readAll(store), [undefined, undefined, undefined]);
      await store.commit(write("w1", { counts: count() }));
      await store.commit(write("w2", { expectRevision: 1, counts: count({ tokens: 5, costUsd: 0.25 }) }));
      await store.commit(write("w3", { counts: count({ turns: 2 }) }, otherLane));
      await store.commit(write("w4", { expectRevision: 2, counts: count({ ...tomorrow, costUsd: 0 }) }));
      await store.commit(write("w5", { expectRevision: 1, counts: count(others) }, otherLane));
      await store.commit(write("w6", { expectRevision: 3 }));
      assert.deepEqual(await readAll(store), [
        { turns: 4, tokens: 25, costUsd: 1.25 },
        { turns: 1, tokens: 10, costUsd: 0 },
        { turns: 1, tokens: 10, costUsd: 0.5 },
      ]);
    },
  },
  {
    name: "a day's use: what is not written is not counted, and what comes again is not counted again",
    async run(harness) {
      const store = await harness.open();
      const first = write("w1", { counts: count() });
      await store.commit(first);
      await assertChangesNothing(store, first, { status: "already", revision: 1 });
      await assertChangesNothing(store, write("w2", { counts: count() }), { status: "already", revision: 1 });
      const conflict = { status: "refused", reason: "conflict" } as const;
      await assertChangesNothing(store, write("w3", { expectRevision: 7, counts: count() }), conflict);
      assert.deepEqual(await store.read.dayUsed(today), { turns: 1, tokens: 10, costUsd: 0.5 });
    },
  },
  {
    name: "a day's use: a turn's end counts, once, also where it resets its session",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store, "m1");
      const session = sampleSession(sampleLane, { expectRevision: 1, sessionId: "second id", counts: count() });
      const step = sampleCommit(epoch, [item.seq], { session });
      assert.equal((await store.commit(step)).status, "done");
      assert.equal((await store.commit(step)).status, "already");
      assert.deepEqual(await store.read.dayUsed(today), { turns: 1, tokens: 10, costUsd: 0.5 });
    },
  },
  {
    name: "a day's use: a session that goes on under another name takes its part along, once",
    async run(harness) {
      const store = await harness.open();
      await store.commit(write("w1", { counts: count() }));
      await store.commit(write("w2", { counts: count({ tokens: 1 }) }, otherLane));
      const to = "agent:main:test:dm:moved";
      const counts = [count({ turns: -1, tokens: -10, costUsd: -0.5 }), count(others)];
      const move = { from: sampleLane, to, expectRevision: 1, body: "{}", counts };
      const step = { step: "rekey", move, sessionId: `id of ${sampleLane}`, audit: sampleAudit } as const;
      const stale = { ...step, move: { ...move, expectRevision: 2 } };
      await assertChangesNothing(store, stale, { status: "refused", reason: "conflict" });
      assert.equal((await store.commit(step)).status, "done");
      await assertChangesNothing(store, step, { status: "already" });
      assert.deepEqual(await readAll(store), [
        { turns: 1, tokens: 1, costUsd: 0.5 },
        undefined,
        { turns: 1, tokens: 10, costUsd: 0.5 },
      ]);
    },
  },
  {
    name: "a day's use: it goes with what else is old",
    async run(harness) {
      const store = await harness.open();
      await store.commit(write("w1", { counts: count() }));
      const prune = { step: "prune", olderThanMs: 60_000, limit: 10 } as const;
      await assertChangesNothing(store, prune, { status: "done", removed: 0 });
      await store.commit({ ...prune, olderThanMs: 0 });
      assert.equal(await store.read.dayUsed(today), undefined);
    },
  },
];
