import assert from "node:assert/strict";
import { sampleAudit, sampleCommit, sampleLane, sampleToolResult, sealedSample } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, startTurn } from "../store-script.ts";

const sessionId = `id of ${sampleLane}`;

export const toolResultCases: readonly StoreCase[] = [
  {
    name: "tool_result: its entries stand before the turn ends; a repeat is already",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const step = sampleToolResult(epoch, item.seq, "e1", "e2");
      assert.deepEqual(await store.commit(step), { status: "done" });
      assert.deepEqual(await store.read.entriesOfItem({ itemSeq: item.seq }), [
        { id: "e1", sessionId, sessionKey: sampleLane, seq: 1, itemSeq: item.seq, body: sealedSample(1, "e1") },
        { id: "e2", sessionId, sessionKey: sampleLane, seq: 2, itemSeq: item.seq, body: sealedSample(2, "e2") },
      ]);
      await assertChangesNothing(store, step, { status: "already" });
    },
  },
  {
    name: "tool_result: what opens it may stand already, under another item; the rest is written",
    async run(harness) {
      const store = await harness.open();
      const entries = [{ id: "opening", body: '{"text":"as it was"}' }];
      const { epoch, item } = await startTurn(store);
      await store.commit({ step: "append_entries", sessionKey: sampleLane, sessionId, entries });
      assert.deepEqual(await store.commit(sampleToolResult(epoch, item.seq, "opening", "e1")), { status: "done" });
      const ids = (await store.read.entries({ sessionId, limit: 9 })).map(({ id }) => id);
      assert.deepEqual(ids, ["opening", "e1"]);
    },
  },
  {
    name: "tool_result: fenced in a lane that nobody runs, at another epoch and after the turn, also when it was committed",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, sampleToolResult(0, 1, "e0"), { status: "fenced" });
      const { epoch, item } = await startTurn(store);
      await assertChangesNothing(store, sampleToolResult(epoch - 1, item.seq, "e1"), { status: "fenced" });
      await assertChangesNothing(store, sampleToolResult(epoch + 1, item.seq, "e1"), { status: "fenced" });
      await store.commit(sampleToolResult(epoch, item.seq, "e1"));
      await store.commit(sampleCommit(epoch, [item.seq]));
      await assertChangesNothing(store, sampleToolResult(epoch, item.seq, "e1"), { status: "fenced" });
    },
  },
  {
    name: "tool_result: lines for the audit are written with its entries, once; also without entries; never where it is fenced",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const audit = [sampleAudit, { ...sampleAudit, detail: "the second" }];
      const step = { ...sampleToolResult(epoch, item.seq, "e1"), audit };
      assert.deepEqual(await store.commit(step), { status: "done" });
      await assertChangesNothing(store, step, { status: "already" });
      await assertChangesNothing(
        store,
        { ...sampleToolResult(epoch + 1, item.seq, "e2"), audit },
        { status: "fenced" },
      );
      assert.deepEqual(await store.commit({ ...step, entries: [], audit: [sampleAudit] }), { status: "done" });
      const rows = await store.read.audit({ limit: 9 });
      assert.deepEqual(
        rows.map(({ actor, action, detail }) => ({ actor, action, detail })),
        [...audit, sampleAudit],
      );
    },
  },
];
