import assert from "node:assert/strict";
import type { SessionWrite } from "../../new-rows.ts";
import type { WriteSessionStep } from "../../steps.ts";
import { sampleLane, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing } from "../store-script.ts";

function write(writeId: string, more: Partial<SessionWrite> = {}): WriteSessionStep {
  return { step: "write_session", writeId, session: sampleSession(sampleLane, more) };
}

export const sessionCases: readonly StoreCase[] = [
  {
    name: "session: inserted at revision 1 and found by key, id and file",
    async run(harness) {
      const store = await harness.open();
      assert.deepEqual(await store.commit(write("w1", { body: '{"a":1}' })), { status: "done", revision: 1 });
      const row = await store.read.session(sampleLane);
      assert.ok(row);
      const { key, sessionId, agentId, file } = sampleSession(sampleLane);
      const { updatedAtMs } = row;
      assert.deepEqual(row, { key, sessionId, agentId, file, revision: 1, updatedAtMs, body: '{"a":1}' });
      assert.deepEqual(await store.read.sessionById(sessionId), row);
      assert.deepEqual(await store.read.sessionByFile(agentId, file), row);
      assert.deepEqual(
        [
          await store.read.session("none"),
          await store.read.sessionById("none"),
          await store.read.sessionByFile(agentId, "none"),
          await store.read.sessionByFile("other", file),
        ],
        [undefined, undefined, undefined, undefined],
      );
    },
  },
  {
    name: "session: each write adds one to the revision; another one than the present is a conflict",
    async run(harness) {
      const store = await harness.open();
      const conflict = { status: "refused", reason: "conflict" } as const;
      await assertChangesNothing(store, write("w0", { expectRevision: 1 }), conflict);
      await store.commit(write("w1"));
      assert.deepEqual(await store.commit(write("w2", { expectRevision: 1 })), { status: "done", revision: 2 });
      assert.deepEqual(await store.commit(write("w3", { expectRevision: 2 })), { status: "done", revision: 3 });
      await assertChangesNothing(store, write("w4", { expectRevision: 2 }), conflict);
      await assertChangesNothing(store, write("w5", { expectRevision: 4 }), conflict);
    },
  },
  {
    name: "session: an insert that finds the session is already, with the present revision, and leaves it alone",
    async run(harness) {
      const store = await harness.open();
      await store.commit(write("w1"));
      await store.commit(write("w2", { expectRevision: 1, body: '{"a":2}' }));
      await assertChangesNothing(store, write("w3", { body: '{"a":3}' }), { status: "already", revision: 2 });
    },
  },
  {
    name: "session: a repeat is already with the revision it made, also after later writes",
    async run(harness) {
      const store = await harness.open();
      await store.commit(write("w1"));
      const step = write("w2", { expectRevision: 1 });
      await store.commit(step);
      await assertChangesNothing(store, step, { status: "already", revision: 2 });
      await store.commit(write("w3", { expectRevision: 2 }));
      await assertChangesNothing(store, step, { status: "already", revision: 2 });
      await assertChangesNothing(store, write("w1"), { status: "already", revision: 1 });
    },
  },
  {
    name: "session: a refused write leaves no trace of its id",
    async run(harness) {
      const store = await harness.open();
      await store.commit(write("w1"));
      await store.commit(write("w2", { expectRevision: 7 }));
      assert.deepEqual(await store.commit(write("w2", { expectRevision: 1 })), { status: "done", revision: 2 });
    },
  },
  {
    name: "session: a new id, agent and file replace the old ones, which find nothing then",
    async run(harness) {
      const store = await harness.open();
      await store.commit(write("w1"));
      const fresh = { sessionId: "second id", agentId: "other", file: "second.jsonl", expectRevision: 1 };
      await store.commit(write("w2", fresh));
      const { sessionId, agentId, file } = sampleSession(sampleLane);
      assert.equal(await store.read.sessionById(sessionId), undefined);
      assert.equal(await store.read.sessionByFile(agentId, file), undefined);
      assert.equal((await store.read.sessionById("second id"))?.revision, 2);
      assert.equal((await store.read.sessionByFile("other", "second.jsonl"))?.revision, 2);
      assert.deepEqual(await store.read.sessions({ agentId, limit: 9 }), []);
      assert.equal((await store.read.sessions({ agentId: "other", limit: 9 })).length, 1);
    },
  },
  {
    name: "session: the time of the last write is kept",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await store.commit(write("w1"));
      const first = await store.read.session(sampleLane);
      await harness.advance?.(5_000);
      await store.commit(write("w2", { expectRevision: 1 }));
      const second = await store.read.session(sampleLane);
      assert.ok(first && second && second.updatedAtMs >= first.updatedAtMs + 5_000);
    },
  },
  {
    name: "session: bodies, keys and ids of any script and size come back as they were",
    async run(harness) {
      const store = await harness.open();
      const body = JSON.stringify({ text: `\u0000 ' " \\ ; -- 🌱 日本\u2028 %s ${"x".repeat(300_000)}` });
      const odd = "agent:main:test:dm:%E6%97%A5'; --";
      await store.commit({ step: "write_session", writeId: "w", session: sampleSession(odd, { body }) });
      const row = await store.read.session(odd);
      assert.deepEqual([row?.body, row?.sessionId], [body, `id of ${odd}`]);
    },
  },
];
