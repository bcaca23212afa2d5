import assert from "node:assert/strict";
import type { DeliveryPolicy } from "@banyan/plugin-sdk";
import type { DeliveryState } from "../../rows.ts";
import { lostSenderError } from "../../store.ts";
import { otherLane, sampleCommit, sampleDelivery, sampleLane, sampleMessage } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, getDelivery, receiveOne, startTurn, writeDelivery } from "../store-script.ts";

const recover = { step: "recover", owner: "living" } as const;
const nothing = { status: "done", lanes: 0, deliveries: 0 } as const;

const policies: readonly { policy: DeliveryPolicy; state: DeliveryState; maybeRepeated: boolean }[] = [
  { policy: "effectively-once", state: "pending", maybeRepeated: true },
  { policy: "at-least-once", state: "pending", maybeRepeated: true },
  { policy: "at-most-once", state: "unknown", maybeRepeated: false },
  { policy: "anchor", state: "pending", maybeRepeated: true },
];

export const recoverCases: readonly StoreCase[] = [
  {
    name: "recover: lanes of the dead are free, their items wait in their old place, with the attempt back and the death counted",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store, "m1", "dead");
      await receiveOne(store, sampleMessage("m2"));
      assert.deepEqual(await store.commit(recover), { status: "done", lanes: 1, deliveries: 0 });
      assert.deepEqual(await store.read.lane(sampleLane), { lane: sampleLane, epoch, waiting: 2, active: [] });
      await assertChangesNothing(store, sampleCommit(epoch, [item.seq]), { status: "fenced" });
      const next = await claimLane(store, sampleLane, "c2", "living");
      assert.deepEqual([next.epoch, next.item.seq], [epoch + 1, item.seq]);
      assert.deepEqual([next.item.attempt, next.item.deaths], [1, 1]);
    },
  },
  {
    name: "recover: rows under way go by their policy, due at once",
    async run(harness) {
      const store = await harness.open();
      for (const { policy } of policies)
        await writeDelivery(store, sampleDelivery(policy, { policy, sendingOwner: "dead" }));
      assert.deepEqual(await store.commit(recover), { status: "done", lanes: 0, deliveries: 4 });
      for (const { policy, state, maybeRepeated } of policies) {
        const row = await getDelivery(store, policy);
        assert.deepEqual([row.state, row.maybeRepeated, row.attempts], [state, maybeRepeated, 1], policy);
        assert.deepEqual(["owner" in row, row.error], [false, lostSenderError]);
      }
      const settle = { step: "settle", id: "at-least-once", attempt: 1 } as const;
      const late = { ...settle, outcome: { state: "sent", platformId: "late" } } as const;
      await assertChangesNothing(store, late, { status: "fenced" });
    },
  },
  {
    name: "recover: a mark that was set stays, and pending and settled rows are left alone",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("marked", { policy: "effectively-once", sendingOwner: "dead" }));
      const outcome = { state: "pending", error: "reset", retryInMs: 60_000, maybeRepeated: true } as const;
      await store.commit({ step: "settle", id: "marked", attempt: 1, outcome });
      await writeDelivery(store, sampleDelivery("sent", { sendingOwner: "dead" }));
      await store.commit({ step: "settle", id: "sent", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      await assertChangesNothing(store, recover, nothing);
      await store.commit({ step: "attempt", id: "marked", owner: "dead", attempt: 2 });
      await store.commit(recover);
      const row = await getDelivery(store, "marked");
      assert.deepEqual([row.state, row.maybeRepeated, row.attempts], ["pending", true, 2]);
    },
  },
  {
    name: "recover: a second time finds nothing",
    async run(harness) {
      const store = await harness.open();
      await startTurn(store, "m1", "dead");
      await writeDelivery(store, sampleDelivery("d", { sendingOwner: "dead" }));
      await store.commit(recover);
      await assertChangesNothing(store, recover, nothing);
    },
  },
  {
    name: "recover: the living owner's lanes and rows stay, and its turn can be committed",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store, "m1", "living");
      await writeDelivery(store, sampleDelivery("d1", { sendingOwner: "living" }));
      await receiveOne(store, sampleMessage("x", { lane: otherLane }));
      await claimLane(store, otherLane, "c2", "dead");
      assert.deepEqual(await store.commit(recover), { status: "done", lanes: 1, deliveries: 0 });
      await assertChangesNothing(store, recover, nothing);
      assert.equal((await store.commit(sampleCommit(epoch, [item.seq]))).status, "done");
    },
  },
];
