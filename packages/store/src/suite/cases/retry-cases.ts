import assert from "node:assert/strict";
import type { SettleOutcome } from "../../delivery-steps.ts";
import type { CommandStep } from "../../steps.ts";
import { sampleAudit, sampleCommand, sampleDelivery, sampleLane } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, getDelivery, receiveOne, writeDelivery } from "../store-script.ts";

const outcomes: Readonly<Record<string, SettleOutcome>> = {
  lost: { state: "undeliverable", error: "blocked" },
  unclear: { state: "unknown", error: "cut off" },
  stuck: { state: "stuck", error: "500", retryInMs: 60_000 },
  sent: { state: "sent", platformId: "p1" },
};

const retryAll = (seq: number, ids: readonly string[]): CommandStep => ({
  step: "command",
  lane: sampleLane,
  seq,
  items: [],
  deliveries: [],
  retry: { ids, audit: sampleAudit },
});

export const retryCases: readonly StoreCase[] = [
  {
    name: "command that tries deliveries again: those that have failed are due at once, others are left alone",
    async run(harness) {
      const store = await harness.open();
      for (const [id, outcome] of Object.entries(outcomes)) {
        await writeDelivery(store, sampleDelivery(id, { sendingOwner: "o" }));
        await store.commit({ step: "settle", id, attempt: 1, outcome });
      }
      await writeDelivery(store, sampleDelivery("under way", { sendingOwner: "o" }));
      const untouched = await Promise.all(["sent", "under way"].map((id) => getDelivery(store, id)));
      const seq = await receiveOne(store, sampleCommand("/retry"));
      const step = retryAll(seq, ["lost", "none", "unclear", "stuck", "sent", "under way", "lost"]);
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 0 });
      for (const id of ["lost", "unclear", "stuck"]) {
        const { state, attempts, nextAtMs, createdAtMs, maybeRepeated } = await getDelivery(store, id);
        assert.deepEqual([state, attempts, maybeRepeated], ["pending", 0, id === "unclear"], id);
        assert.ok(nextAtMs < createdAtMs + 60_000);
      }
      assert.deepEqual(await Promise.all(["sent", "under way"].map((id) => getDelivery(store, id))), untouched);
      const audit = await store.read.audit({ limit: 9 });
      assert.deepEqual(
        audit.map(({ actor, action, detail }) => ({ actor, action, detail })),
        [sampleAudit],
      );
      await assertChangesNothing(store, step, { status: "already" });
    },
  },
  {
    name: "command that tries deliveries again: where none was to be, nothing is on record",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/retry"));
      assert.deepEqual(await store.commit(retryAll(seq, ["none"])), { status: "done", items: [], waiting: 0 });
      assert.deepEqual(await store.read.audit({ limit: 9 }), []);
    },
  },
];
