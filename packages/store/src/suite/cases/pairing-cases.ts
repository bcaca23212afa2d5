import assert from "node:assert/strict";
import type { Store } from "../../store.ts";
import { hourMs, samplePairing, sampleSettle, sampleStranger } from "../sample-route.ts";
import { sampleDelivery, sampleReceive } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, receiveAll, receiveOne } from "../store-script.ts";

const done = { status: "done" } as const;
const already = { status: "already" } as const;
const notFound = { status: "refused", reason: "not_found" } as const;

/** `eve pending, …`, the oldest first. */
async function listPairings(store: Store, query: Partial<Parameters<Store["read"]["pairings"]>[0]> = {}) {
  const rows = await store.read.pairings({ limit: 9, ...query });
  return rows.map(({ senderId, state }) => `${senderId} ${state}`).join(", ");
}

export const pairingCases: readonly StoreCase[] = [
  {
    name: "pairing: a stranger's first message brings a pending one with its code, address and end; it is told once",
    async run(harness) {
      const store = await harness.open();
      const pairing = samplePairing("eve");
      const [first] = await receiveAll(store, [sampleStranger("m1", pairing)]);
      assert.deepEqual([first?.outcome, first?.deliveries, first?.isPairingNew], ["refused", ["code m1"], true]);
      const [row] = await store.read.pairings({ limit: 9 });
      assert.ok(row);
      const { createdAtMs, expiresAtMs, ...rest } = row;
      const { ttlMs, mostPending: _, ...offered } = pairing;
      assert.deepEqual([rest, expiresAtMs - createdAtMs], [{ ...offered, state: "pending" }, ttlMs]);
      assert.equal((await store.read.counts()).pendingPairings, 1);
      const [second] = await receiveAll(store, [sampleStranger("m2", samplePairing("eve", { code: "other" }))]);
      assert.deepEqual(
        [second?.outcome, second?.deliveries, second && "isPairingNew" in second],
        ["refused", [], false],
      );
      assert.equal((await store.read.pairings({ limit: 9 }))[0]?.code, pairing.code);
    },
  },
  {
    name: "pairing: a repeat of the step names it as new again, a message sent twice with another code does not",
    async run(harness) {
      const store = await harness.open();
      const step = sampleReceive([sampleStranger("m1", samplePairing("eve"))]);
      const [first] = await receiveAll(store, step.items);
      const seq = first?.seq ?? 0;
      const again = { outcome: "refused", seq, deliveries: ["code m1"] } as const;
      await assertChangesNothing(store, step, { status: "done", items: [{ ...again, isPairingNew: true }] });
      const twice = sampleStranger("m1", samplePairing("eve", { code: "other" }));
      await assertChangesNothing(store, sampleReceive([twice]), { status: "done", items: [again] });
    },
  },
  {
    name: "pairing: senders, accounts and channels have their own, also within one batch",
    async run(harness) {
      const store = await harness.open();
      const results = await receiveAll(store, [
        sampleStranger("m1", samplePairing("eve")),
        sampleStranger("m2", samplePairing("eve")),
        sampleStranger("m3", samplePairing("dan")),
        sampleStranger("m4", samplePairing("eve", { account: "second" })),
        sampleStranger("m5", samplePairing("eve", { channel: "other" })),
      ]);
      assert.deepEqual(
        results.map(({ isPairingNew = false }) => isPairingNew),
        [true, false, true, true, true],
      );
    },
  },
  {
    name: "pairing: one too many for the account writes `ifFull` instead, other accounts have room",
    async run(harness) {
      const store = await harness.open();
      const mostPending = 2;
      for (const id of ["a", "b"]) await receiveOne(store, sampleStranger(id, samplePairing(id, { mostPending })));
      const step = sampleReceive([sampleStranger("c", samplePairing("c", { mostPending }))]);
      const [full] = await receiveAll(store, step.items);
      assert.deepEqual([full?.deliveries, full && "isPairingNew" in full], [["full c"], false]);
      const again = { outcome: "refused", seq: full?.seq ?? 0, deliveries: ["full c"] } as const;
      await assertChangesNothing(store, step, { status: "done", items: [again] });
      assert.equal(await store.read.delivery("code c"), undefined);
      const other = samplePairing("c", { mostPending, account: "second" });
      assert.equal((await receiveAll(store, [sampleStranger("d", other)]))[0]?.isPairingNew, true);
      await store.commit(sampleSettle("a", "denied"));
      const [room] = await receiveAll(store, [sampleStranger("e", samplePairing("e", { mostPending }))]);
      assert.equal(room?.isPairingNew, true);
    },
  },
  {
    name: "pairing: approved and denied, one into the other; the sender is told once, a repeat is already",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleStranger("m1", samplePairing("eve")));
      const step = sampleSettle("eve", "approved", { deliveries: [sampleDelivery("welcome")] });
      assert.deepEqual(await store.commit(step), done);
      assert.ok(await store.read.delivery("welcome"));
      const late = { ...step, deliveries: [sampleDelivery("late")] };
      await assertChangesNothing(store, late, already);
      assert.equal((await store.read.routes()).approved.length, 1);
      assert.deepEqual(await store.commit(sampleSettle("eve", "denied")), done);
      assert.deepEqual((await store.read.routes()).approved, []);
      await assertChangesNothing(store, sampleSettle("eve", "denied"), already);
      assert.deepEqual(await store.commit(sampleSettle("eve", "approved")), done);
      const [again] = await receiveAll(store, [sampleStranger("m2", samplePairing("eve", { code: "other" }))]);
      assert.deepEqual([again?.deliveries, again && "isPairingNew" in again], [[], false]);
      assert.equal((await store.read.audit({ limit: 9 })).length, 3);
      await assertChangesNothing(store, sampleSettle("nobody", "approved"), notFound);
      await assertChangesNothing(store, sampleSettle("eve", "approved", { account: "second" }), notFound);
    },
  },
  {
    name: "pairing: a pending one that has expired is gone for everybody, a new one takes its place at the end",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleStranger("m1", samplePairing("eve", { mostPending: 1 })));
      await receiveOne(store, sampleStranger("m2", samplePairing("dan", { ttlMs: 2 * hourMs, mostPending: 2 })));
      await harness.advance?.(hourMs - 1);
      assert.equal(await listPairings(store), "eve pending, dan pending");
      await harness.advance?.(1);
      assert.equal(await listPairings(store), "dan pending");
      assert.equal((await store.read.counts()).pendingPairings, 1);
      for (const to of ["approved", "denied"] as const)
        await assertChangesNothing(store, sampleSettle("eve", to), notFound);
      const fresh = samplePairing("eve", { code: "other", mostPending: 2 });
      assert.equal((await receiveAll(store, [sampleStranger("m3", fresh)]))[0]?.isPairingNew, true);
      assert.equal(await listPairings(store), "dan pending, eve pending");
      assert.equal((await store.read.pairings({ limit: 9 }))[1]?.code, "other");
    },
  },
  {
    name: "pairing: the operator's word does not expire",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      for (const id of ["eve", "dan"]) await receiveOne(store, sampleStranger(id, samplePairing(id)));
      await store.commit(sampleSettle("eve", "approved"));
      await store.commit(sampleSettle("dan", "denied"));
      await harness.advance?.(10 * hourMs);
      await store.commit({ step: "prune", olderThanMs: 0, limit: 9 });
      assert.equal(await listPairings(store), "eve approved, dan denied");
      assert.deepEqual(await store.commit(sampleSettle("dan", "approved")), done);
    },
  },
  {
    name: "pairing: listed by state, the oldest first, at most `limit`",
    async run(harness) {
      const store = await harness.open();
      for (const id of ["a", "b", "c", "d"]) await receiveOne(store, sampleStranger(id, samplePairing(id)));
      await store.commit(sampleSettle("a", "approved"));
      await store.commit(sampleSettle("c", "denied"));
      assert.equal(await listPairings(store), "a approved, b pending, c denied, d pending");
      assert.equal(await listPairings(store, { limit: 2 }), "a approved, b pending");
      assert.equal(await listPairings(store, { states: ["pending"], limit: 1 }), "b pending");
      assert.equal(await listPairings(store, { states: ["denied", "approved"] }), "a approved, c denied");
      assert.equal(await listPairings(store, { states: [] }), "");
    },
  },
];
