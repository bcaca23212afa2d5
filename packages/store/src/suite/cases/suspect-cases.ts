/** What deaths of the process cost the active turns. A death is a recovery by another owner. */

import assert from "node:assert/strict";
import type { Claim } from "../../results.ts";
import type { Store } from "../../store.ts";
import {
  otherLane,
  sampleCommand,
  sampleCommit,
  sampleLane,
  sampleMessage,
  sampleReceive,
  sampleToolResult,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, receiveOne, startTurn } from "../store-script.ts";

const recover = { step: "recover", owner: "next" } as const;
const claimOther = { step: "claim", lane: otherLane, owner: "owner-1", claimId: "other" } as const;
const suspect = { status: "refused", reason: "suspect" } as const;

/** Makes the lane's turn active at this number of deaths; then it waits. */
async function die(store: Store, times: number, ...lanes: readonly string[]): Promise<void> {
  for (let death = 0; death < times; death += 1) {
    for (const lane of lanes) await claimNext(store, lane);
    await store.commit(recover);
  }
}

async function claimNext(store: Store, lane: string = sampleLane): Promise<Claim> {
  const { epoch } = await store.read.lane(lane);
  return claimLane(store, lane, `claim behind ${epoch} of ${lane}`);
}

async function countsOf(store: Store, seq: number): Promise<readonly [number | undefined, number | undefined]> {
  const row = await store.read.item(seq);
  return [row?.attempt, row?.deaths];
}

export const suspectCases: readonly StoreCase[] = [
  {
    name: "suspects: two deaths in a row cost nothing; each one after them costs an attempt",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("m1"));
      const counted = [];
      for (let death = 1; death <= 5; death += 1) {
        await die(store, 1, sampleLane);
        counted.push(await countsOf(store, seq));
      }
      assert.deepEqual(counted, [
        [0, 1],
        [0, 2],
        [1, 3],
        [2, 4],
        [3, 5],
      ]);
      assert.equal((await claimNext(store)).item.attempt, 4);
    },
  },
  {
    name: "suspects: a death at which the turn was not active counts neither for it nor against it",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("m1"));
      const behind = await receiveOne(store, sampleMessage("m2"));
      await die(store, 1, sampleLane);
      await assertChangesNothing(store, recover, { status: "done", lanes: 0, deliveries: 0 });
      await die(store, 1, sampleLane);
      assert.deepEqual(await countsOf(store, seq), [0, 2]);
      assert.deepEqual(await countsOf(store, behind), [0, undefined]);
    },
  },
  {
    name: "suspects: a committed result between the deaths clears the turn and returns what suspicion has cost it",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("m1"));
      await die(store, 4, sampleLane);
      assert.deepEqual(await countsOf(store, seq), [2, 4]);
      const { epoch } = await claimNext(store);
      await store.commit(sampleToolResult(epoch, seq, "e1"));
      assert.deepEqual(await countsOf(store, seq), [1, undefined]);
      await store.commit(recover);
      assert.deepEqual(await countsOf(store, seq), [0, 1]);
    },
  },
  {
    name: "suspects: a note is no progress, such as a call that begins",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("m1"));
      await die(store, 2, sampleLane);
      const { epoch } = await claimNext(store);
      await store.commit({ ...sampleToolResult(epoch, seq, "e1"), isNote: true });
      await store.commit(recover);
      assert.deepEqual(await countsOf(store, seq), [1, 3]);
    },
  },
  {
    name: "suspects: an orderly stop returns the attempt and changes no count of deaths",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("m1"));
      await die(store, 1, sampleLane);
      for (const deaths of [1, 2]) {
        const { epoch } = await claimNext(store);
        await store.commit({ step: "release", lane: sampleLane, epoch, giveBackAttempt: true });
        assert.deepEqual(await countsOf(store, seq), [0, deaths]);
        await die(store, 1, sampleLane);
      }
      assert.deepEqual(await countsOf(store, seq), [1, 3]);
    },
  },
  {
    name: "suspects: one is active at a time, and every other lane is claimed beside it",
    async run(harness) {
      const store = await harness.open();
      const third = "agent:main:test:dm:cid";
      const seq = await receiveOne(store, sampleMessage("m1"));
      await receiveOne(store, sampleMessage("m2", { lane: otherLane }));
      await receiveOne(store, sampleMessage("m3", { lane: third }));
      await die(store, 2, sampleLane, otherLane);
      const { epoch } = await claimNext(store);
      await assertChangesNothing(store, claimOther, suspect);
      await claimNext(store, third);
      await store.commit(sampleCommit(epoch, [seq]));
      assert.equal((await store.commit(claimOther)).status, "done");
    },
  },
  {
    name: "suspects: one is claimed beside others where the claim says so; the next one waits for both",
    async run(harness) {
      const store = await harness.open();
      const third = "agent:main:test:dm:cid";
      await receiveOne(store, sampleMessage("m1"));
      await receiveOne(store, sampleMessage("m2", { lane: otherLane }));
      await receiveOne(store, sampleMessage("m3", { lane: third }));
      await die(store, 1, sampleLane, otherLane, third);
      await die(store, 1, sampleLane, otherLane, third);
      await claimNext(store);
      await assertChangesNothing(store, claimOther, suspect);
      assert.equal((await store.commit({ ...claimOther, isBesideSuspects: true })).status, "done");
      await assertChangesNothing(store, { ...claimOther, lane: third, claimId: "third" }, suspect);
    },
  },
  ...(["made progress", "was cleared", "was released"] as const).map(
    (way): StoreCase => ({
      name: `suspects: the next one is claimed when the active one ${way}`,
      async run(harness) {
        const store = await harness.open();
        const seq = await receiveOne(store, sampleMessage("m1"));
        await receiveOne(store, sampleMessage("m2", { lane: otherLane }));
        await die(store, 2, sampleLane, otherLane);
        const { epoch } = await claimNext(store);
        await assertChangesNothing(store, claimOther, suspect);
        if (way === "made progress") await store.commit(sampleToolResult(epoch, seq, "e1"));
        if (way === "was cleared") await store.commit({ step: "suspicion", lane: sampleLane, epoch, isCleared: true });
        if (way === "was released")
          await store.commit({ step: "release", lane: sampleLane, epoch, giveBackAttempt: true });
        assert.equal((await store.commit(claimOther)).status, "done");
        assert.equal((await store.read.item(seq))?.deaths, way === "was released" ? 2 : undefined);
      },
    }),
  ),
  {
    name: "suspects: what comes in does not claim one beside another; it waits behind it",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("m1"));
      const waiting = await receiveOne(store, sampleMessage("m2", { lane: otherLane }));
      await die(store, 2, sampleLane, otherLane);
      await claimNext(store);
      const claim = { owner: "owner-1", claimId: "fused" };
      const [late] = await receiveAll(store, [sampleMessage("m3", { lane: otherLane })], { claim });
      assert.equal(late?.claim, undefined);
      const lanes = await store.read.readyLanes({ limit: 9 });
      assert.deepEqual(lanes, [{ lane: otherLane, firstSeq: waiting }]);
      await store.commit(recover);
      const again = await store.commit(sampleReceive([sampleMessage("m4", { lane: otherLane })], { claim }));
      assert.equal(again.status === "done" && again.items[0]?.claim?.item.seq, waiting);
    },
  },
  {
    name: "suspects: an item that is only appended is none",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("m1", { wake: "append" }));
      await receiveOne(store, sampleMessage("m2", { lane: otherLane }));
      await die(store, 3, sampleLane);
      assert.deepEqual(await countsOf(store, seq), [0, 3]);
      await die(store, 2, otherLane);
      await claimNext(store, otherLane);
      await claimNext(store);
    },
  },
  {
    name: "suspicion: messages that a turn takes along become suspects with it; commands and other lanes are left alone",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("m1"));
      const taken = await receiveOne(store, sampleMessage("m2"));
      const command = await receiveOne(store, sampleCommand("c1"));
      const behind = await receiveOne(store, sampleMessage("m3"));
      const other = await receiveOne(store, sampleMessage("m4", { lane: otherLane }));
      await die(store, 1, sampleLane);
      const { epoch } = await claimNext(store);
      const step = { step: "suspicion", lane: sampleLane, epoch, shared: [taken, command, other] } as const;
      assert.deepEqual(await store.commit(step), { status: "done" });
      await assertChangesNothing(store, step, { status: "done" });
      await store.commit(recover);
      const rows = await Promise.all([seq, taken, command, behind, other].map((each) => store.read.item(each)));
      assert.deepEqual(
        rows.map((row) => row?.deaths),
        [2, 2, undefined, undefined, undefined],
      );
    },
  },
  {
    name: "suspicion: fenced in a lane that nobody runs and at another epoch",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      const step = { step: "suspicion", lane: sampleLane, epoch: epoch + 1, isCleared: true } as const;
      await assertChangesNothing(store, step, { status: "fenced" });
      await store.commit(recover);
      await assertChangesNothing(store, { ...step, epoch }, { status: "fenced" });
    },
  },
];
