import assert from "node:assert/strict";
import type { SettleOutcome } from "../../delivery-steps.ts";
import type { DeliveryState } from "../../rows.ts";
import type { Store } from "../../store.ts";
import { sampleAudit, sampleDelivery } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, getDelivery, writeDelivery } from "../store-script.ts";

const retry = (id: string) => ({ step: "retry_delivery", id, audit: sampleAudit }) as const;
const drop = (id: string) => ({ step: "drop_delivery", id, audit: sampleAudit }) as const;
const done = { status: "done" } as const;
const already = { status: "already" } as const;
const wrongState = { status: "refused", reason: "wrong_state" } as const;
const notFound = { status: "refused", reason: "not_found" } as const;
const later = { error: "500", retryInMs: 60_000 } as const;

/** How a row comes to the state, and what an operator's words answer there. */
const table: readonly {
  state: DeliveryState;
  outcome?: SettleOutcome;
  retry: "done" | "wrong_state";
  drop: "done" | "already" | "wrong_state";
}[] = [
  { state: "pending", outcome: { state: "pending", ...later }, retry: "done", drop: "done" },
  { state: "stuck", outcome: { state: "stuck", ...later }, retry: "done", drop: "done" },
  { state: "unknown", outcome: { state: "unknown", error: "cut off" }, retry: "done", drop: "done" },
  { state: "undeliverable", outcome: { state: "undeliverable", error: "gone" }, retry: "done", drop: "already" },
  { state: "sending", retry: "wrong_state", drop: "wrong_state" },
  { state: "sent", outcome: { state: "sent", platformId: "p" }, retry: "wrong_state", drop: "wrong_state" },
  {
    state: "sent_maybe_repeated",
    outcome: { state: "sent_maybe_repeated", platformId: "p" },
    retry: "wrong_state",
    drop: "wrong_state",
  },
];

async function bringTo(store: Store, id: string, outcome: SettleOutcome | undefined): Promise<void> {
  await writeDelivery(store, sampleDelivery(id, { sendingOwner: "o" }));
  if (outcome) await store.commit({ step: "settle", id, attempt: 1, outcome });
}

export const operatorCases: readonly StoreCase[] = [
  {
    name: "retry: undeliverable, unknown, stuck and pending rows are pending, due at once, attempts from 0",
    async run(harness) {
      const store = await harness.open();
      for (const { state, outcome, retry: expected } of table) {
        await bringTo(store, state, outcome);
        if (expected === "wrong_state") {
          await assertChangesNothing(store, retry(state), wrongState);
          continue;
        }
        const before = await getDelivery(store, state);
        assert.deepEqual(await store.commit(retry(state)), done, state);
        const row = await getDelivery(store, state);
        assert.deepEqual([row.state, row.attempts], ["pending", 0]);
        assert.ok(row.nextAtMs < before.createdAtMs + later.retryInMs);
        assert.equal(row.maybeRepeated, state === "unknown");
        assert.deepEqual([row.body, row.address, row.pos], [before.body, before.address, before.pos]);
      }
      await assertChangesNothing(store, retry("none"), notFound);
    },
  },
  {
    name: "retry: a repeat answers as it did, and the row is tried from attempt 1",
    async run(harness) {
      const store = await harness.open();
      await bringTo(store, "d", { state: "undeliverable", error: "gone" });
      assert.deepEqual([await store.commit(retry("d")), await store.commit(retry("d"))], [done, done]);
      assert.deepEqual(await store.commit({ step: "attempt", id: "d", owner: "o", attempt: 1 }), done);
    },
  },
  {
    name: "drop: pending, stuck and unknown rows are undeliverable; a repeat is already",
    async run(harness) {
      const store = await harness.open();
      for (const { state, outcome, drop: expected } of table) {
        await bringTo(store, state, outcome);
        if (expected === "done") {
          assert.deepEqual(await store.commit(drop(state)), done, state);
          assert.equal((await getDelivery(store, state)).state, "undeliverable");
          await assertChangesNothing(store, drop(state), already);
        } else await assertChangesNothing(store, drop(state), expected === "already" ? already : wrongState);
      }
      await assertChangesNothing(store, drop("none"), notFound);
    },
  },
  {
    name: "retry and drop: every word that was followed is on record, refused ones are not",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("d"));
      const word = (detail: string) => ({ actor: "operator", action: "outbox", detail });
      await store.commit({ ...retry("d"), audit: word("again") });
      await store.commit({ ...drop("d"), audit: word("enough") });
      await store.commit({ ...drop("d"), audit: word("repeat") });
      await store.commit({ ...retry("none"), audit: word("none") });
      const written = await store.read.audit({ limit: 9 });
      assert.deepEqual(
        written.map(({ actor, action, detail }) => ({ actor, action, detail })),
        [word("again"), word("enough")],
      );
    },
  },
];
