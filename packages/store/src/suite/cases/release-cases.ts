import assert from "node:assert/strict";
import type { ReleaseStep } from "../../turn-steps.ts";
import { otherLane, sampleCommit, sampleLane, sampleMessage } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveOne, startTurn } from "../store-script.ts";

function release(epoch: number, giveBackAttempt = false): ReleaseStep {
  return { step: "release", lane: sampleLane, epoch, giveBackAttempt };
}

export const releaseCases: readonly StoreCase[] = [
  {
    name: "release: the item waits again in its old place, its attempt used up; the epoch stays and grows with the claim",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await receiveOne(store, sampleMessage("m2"));
      assert.deepEqual(await store.commit(release(epoch)), { status: "done" });
      assert.deepEqual(await store.read.lane(sampleLane), { lane: sampleLane, epoch, waiting: 2, active: [] });
      const next = await claimLane(store, sampleLane, "c2");
      assert.deepEqual([next.item.seq, next.item.attempt, next.epoch], [item.seq, 2, epoch + 1]);
    },
  },
  {
    name: "release: an orderly stop gives the attempt back",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      await store.commit(release(epoch));
      const second = await claimLane(store, sampleLane, "c2");
      assert.equal(second.item.attempt, 2);
      await store.commit(release(second.epoch, true));
      const third = await claimLane(store, sampleLane, "c3");
      assert.deepEqual([third.item.attempt, third.epoch], [2, epoch + 2]);
    },
  },
  {
    name: "release: already when the turn is over, given back or committed; the attempt is given back once",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      await store.commit(release(epoch, true));
      await assertChangesNothing(store, release(epoch, true), { status: "already" });
      const { epoch: next, item } = await claimLane(store, sampleLane, "c2");
      assert.equal(item.attempt, 1);
      await store.commit(sampleCommit(next, [item.seq]));
      await assertChangesNothing(store, release(next), { status: "already" });
    },
  },
  {
    name: "release: fenced at another epoch and in a lane that never ran",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      await assertChangesNothing(store, release(epoch - 1), { status: "fenced" });
      await assertChangesNothing(store, release(epoch + 1), { status: "fenced" });
      await assertChangesNothing(store, { ...release(0), lane: otherLane }, { status: "fenced" });
      await store.commit(release(epoch));
      await claimLane(store, sampleLane, "c2");
      await assertChangesNothing(store, release(epoch), { status: "fenced" });
    },
  },
];
