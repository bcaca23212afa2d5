import assert from "node:assert/strict";
import type { SettleOutcome } from "../../delivery-steps.ts";
import type { DeliveryState } from "../../rows.ts";
import type { Store } from "../../store.ts";
import { sampleDelivery } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, getDelivery, writeDelivery } from "../store-script.ts";

const outcomes: Readonly<Record<Exclude<DeliveryState, "sending">, SettleOutcome>> = {
  sent: { state: "sent", platformId: "p1" },
  sent_maybe_repeated: { state: "sent_maybe_repeated", platformId: "p1" },
  undeliverable: { state: "undeliverable", error: "blocked" },
  unknown: { state: "unknown", error: "cut off" },
  pending: { state: "pending", error: "429", retryInMs: 5_000 },
  stuck: { state: "stuck", error: "500", retryInMs: 60_000 },
};
const states: readonly DeliveryState[] = [
  "pending",
  "sending",
  "sent",
  "sent_maybe_repeated",
  "undeliverable",
  "unknown",
  "stuck",
];

const attempt = (id: string, number: number, owner = "o") => ({ step: "attempt", id, owner, attempt: number }) as const;
const settle = (id: string, number: number, outcome: SettleOutcome) =>
  ({ step: "settle", id, attempt: number, outcome }) as const;

/** A row whose first attempt has come to this state; a pending one has been tried once too. */
async function bringTo(store: Store, id: string, state: DeliveryState): Promise<void> {
  await writeDelivery(store, sampleDelivery(id, { sendingOwner: "o" }));
  if (state !== "sending") await store.commit(settle(id, 1, outcomes[state]));
}

export const deliveryCases: readonly StoreCase[] = [
  {
    name: "attempt: only from pending and stuck; every other state refuses it and keeps its row",
    async run(harness) {
      const store = await harness.open();
      for (const state of states) {
        const id = `from ${state}`;
        await bringTo(store, id, state);
        if (state === "pending" || state === "stuck") {
          assert.deepEqual(await store.commit(attempt(id, 2, "o2")), { status: "done" }, id);
          const row = await getDelivery(store, id);
          assert.deepEqual([row.state, row.attempts, row.owner], ["sending", 2, "o2"]);
        } else {
          for (const number of [1, 2]) {
            const refused = { status: "refused", reason: "wrong_state" } as const;
            await assertChangesNothing(store, attempt(id, number, "o2"), refused);
          }
        }
      }
    },
  },
  {
    name: "attempt: a repeat by its owner is already; another number is a conflict; an unknown row is not found",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("d"));
      const refuse = (reason: "conflict" | "not_found") => ({ status: "refused", reason }) as const;
      for (const number of [0, 2]) await assertChangesNothing(store, attempt("d", number), refuse("conflict"));
      await store.commit(attempt("d", 1));
      await assertChangesNothing(store, attempt("d", 1), { status: "already" });
      await assertChangesNothing(store, attempt("none", 1), refuse("not_found"));
      await store.commit(settle("d", 1, outcomes.pending));
      await assertChangesNothing(store, attempt("d", 1), refuse("conflict"));
    },
  },
  {
    name: "settle: from sending to every state, with what the platform said",
    async run(harness) {
      const store = await harness.open();
      for (const [state, outcome] of Object.entries(outcomes)) {
        const { createdAtMs } = await writeDelivery(store, sampleDelivery(state, { sendingOwner: "o" }));
        assert.deepEqual(await store.commit(settle(state, 1, outcome)), { status: "done" });
        const row = await getDelivery(store, state);
        assert.deepEqual([row.state, row.attempts, "owner" in row, row.maybeRepeated], [state, 1, false, false]);
        assert.equal(row.platformId, "platformId" in outcome ? outcome.platformId : undefined);
        assert.equal(row.error, "error" in outcome ? outcome.error : undefined);
        assert.ok(row.nextAtMs >= createdAtMs + ("retryInMs" in outcome ? outcome.retryInMs : 0));
      }
    },
  },
  {
    name: "settle: every other state is fenced, or already where it is the outcome's own",
    async run(harness) {
      const store = await harness.open();
      for (const from of states.filter((state) => state !== "sending")) {
        await bringTo(store, from, from);
        for (const [to, outcome] of Object.entries(outcomes)) {
          await assertChangesNothing(store, settle(from, 1, outcome), { status: from === to ? "already" : "fenced" });
          await assertChangesNothing(store, settle(from, 2, outcome), { status: "fenced" });
        }
      }
      await assertChangesNothing(store, settle("none", 1, outcomes.sent), { status: "fenced" });
    },
  },
  {
    name: "settle: an attempt that is over is fenced by the next one",
    async run(harness) {
      const store = await harness.open();
      await bringTo(store, "d", "pending");
      await store.commit(attempt("d", 2));
      await assertChangesNothing(store, settle("d", 1, outcomes.sent), { status: "fenced" });
      assert.deepEqual(await store.commit(settle("d", 2, outcomes.sent)), { status: "done" });
      assert.equal("error" in (await getDelivery(store, "d")), false);
    },
  },
  {
    name: "settle: a rate limit gives the attempt back, and a repeat is already",
    async run(harness) {
      const store = await harness.open();
      for (const state of ["pending", "stuck"] as const) {
        await writeDelivery(store, sampleDelivery(state, { sendingOwner: "o" }));
        const step = settle(state, 1, { state, error: "429", retryInMs: 9_000, giveBackAttempt: true });
        assert.deepEqual(await store.commit(step), { status: "done" });
        assert.equal((await getDelivery(store, state)).attempts, 0);
        await assertChangesNothing(store, step, { status: "already" });
        assert.deepEqual(await store.commit(attempt(state, 1)), { status: "done" });
      }
    },
  },
  {
    name: "settle: the mark of a possible repeat stays once it is set",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("d", { sendingOwner: "o" }));
      await store.commit(settle("d", 1, { state: "pending", error: "reset", retryInMs: 0, maybeRepeated: true }));
      assert.equal((await getDelivery(store, "d")).maybeRepeated, true);
      await store.commit(attempt("d", 2));
      await store.commit(settle("d", 2, { state: "stuck", error: "refused", retryInMs: 0 }));
      assert.equal((await getDelivery(store, "d")).maybeRepeated, true);
      await store.commit(attempt("d", 3));
      await store.commit(settle("d", 3, outcomes.sent_maybe_repeated));
      assert.equal((await getDelivery(store, "d")).maybeRepeated, true);
    },
  },
];
