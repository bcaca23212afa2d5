import assert from "node:assert/strict";
import { otherLane, sampleCommand, sampleLane, sampleMessage, sampleOwner, sampleReceive } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, receiveOne } from "../store-script.ts";

export const fusedClaimCases: readonly StoreCase[] = [
  {
    name: "fused claim: answers as a claim of its own does",
    async run(harness) {
      const store = await harness.open();
      const lane = otherLane;
      const [fused] = await receiveAll(store, [sampleMessage("a")], { claim: { owner: sampleOwner, claimId: "c1" } });
      await receiveOne(store, sampleMessage("b", { lane }));
      const separate = await claimLane(store, lane, "c2");
      assert.ok(fused?.claim);
      const neutral = { receivedAtMs: 0, seq: 0, lane: "", body: "" };
      assert.deepEqual({ ...fused.claim.item, ...neutral }, { ...separate.item, ...neutral });
      assert.deepEqual([fused.claim.epoch, fused.claim.lane, fused.claim.item.seq], [1, sampleLane, fused.seq]);
      assert.deepEqual(fused.claim.session, await store.read.session(sampleLane));
      assert.equal((await store.read.lane(sampleLane)).owner, sampleOwner);
    },
  },
  {
    name: "fused claim: one per lane of the batch, with the lane's first item; a repeat answers them again",
    async run(harness) {
      const store = await harness.open();
      const items = [sampleMessage("a"), sampleMessage("b"), sampleMessage("x", { lane: otherLane })];
      const step = { claim: { owner: sampleOwner, claimId: "c1" } };
      const results = await receiveAll(store, items, step);
      assert.deepEqual(
        results.map((result) => result.claim?.lane),
        [sampleLane, undefined, otherLane],
      );
      const repeated = results.map((result) => ({ ...result, outcome: "duplicate" as const }));
      await assertChangesNothing(store, sampleReceive(items, step), { status: "done", items: repeated });
    },
  },
  {
    name: "fused claim: takes the item that waits longest, none of a lane that runs, none behind a command",
    async run(harness) {
      const store = await harness.open();
      const first = await receiveOne(store, sampleMessage("a"));
      const [backlog] = await receiveAll(store, [sampleMessage("b")], { claim: { owner: "o", claimId: "c1" } });
      assert.equal(backlog?.claim?.item.seq, first);
      const [running] = await receiveAll(store, [sampleMessage("c")], { claim: { owner: "o", claimId: "c2" } });
      assert.equal(running?.claim, undefined);
      const behind = [sampleCommand("/new", { lane: otherLane }), sampleMessage("x", { lane: otherLane })];
      const results = await receiveAll(store, behind, { claim: { owner: "o", claimId: "c3" } });
      assert.deepEqual(
        results.map((result) => result.claim),
        [undefined, undefined],
      );
    },
  },
  {
    name: "fused claim: leaves the session out where its revision is known",
    async run(harness) {
      const store = await harness.open();
      const item = sampleMessage("a", { knownRevision: 1 });
      const [result] = await receiveAll(store, [item], { claim: { owner: "o", claimId: "c1" } });
      assert.ok(result?.claim);
      assert.equal("session" in result.claim, false);
    },
  },
];
