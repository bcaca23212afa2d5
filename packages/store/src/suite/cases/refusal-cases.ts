import assert from "node:assert/strict";
import {
  otherLane,
  sampleAddress,
  sampleCommand,
  sampleDelivery,
  sampleLane,
  sampleMessage,
  sampleReceive,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, receiveOne } from "../store-script.ts";

/** What access refuses has no lane and, in this case, no session. */
function refusedBySender(id: string) {
  const { session: _, ...item } = sampleMessage(id, { lane: "", refused: "not allowed" });
  return item;
}

export const refusalCases: readonly StoreCase[] = [
  {
    name: "refused by access: on record with its deliveries, in no lane, in no history, never claimed",
    async run(harness) {
      const store = await harness.open();
      const item = { ...refusedBySender("a"), deliveries: [sampleDelivery("d", { address: "test|default|eve" })] };
      const claim = { owner: "o", claimId: "c" };
      const [result, again] = await receiveAll(store, [item, refusedBySender("a")], { cursor: "1", claim });
      assert.deepEqual([result?.outcome, result?.deliveries, result?.claim], ["refused", ["d"], undefined]);
      assert.deepEqual([again?.outcome, again?.seq], ["refused", result?.seq]);
      assert.deepEqual(await store.read.lane(""), { lane: "", epoch: 0, waiting: 0, active: [] });
      assert.deepEqual(await store.read.readyLanes({ limit: 9 }), []);
      assert.deepEqual(await store.read.history({ address: sampleAddress, limit: 9 }), []);
      assert.deepEqual(await store.read.sessions({ limit: 9 }), []);
      assert.equal((await store.read.counts()).waitingItems, 0);
    },
  },
  {
    name: "refused by access: a repeat is refused again and names its deliveries",
    async run(harness) {
      const store = await harness.open();
      const step = sampleReceive([
        { ...refusedBySender("a"), deliveries: [sampleDelivery("d", { sendingOwner: "o" })] },
      ]);
      const [result] = await receiveAll(store, step.items);
      await assertChangesNothing(store, step, {
        status: "done",
        items: [{ outcome: "refused", seq: result?.seq ?? 0, deliveries: ["d"] }],
      });
    },
  },
  {
    name: "full lane: one item too many is refused, `ifFull` is written instead of its deliveries, others go on",
    async run(harness) {
      const store = await harness.open();
      await receiveAll(store, [sampleMessage("a", { laneCap: 2 }), sampleMessage("b", { laneCap: 2 })]);
      const writer = { channel: "test", peer: "ada" };
      const tooMany = sampleMessage("c", {
        laneCap: 2,
        writer,
        ifFull: sampleDelivery("full"),
        deliveries: [sampleDelivery("d")],
      });
      const items = [tooMany, sampleMessage("x", { lane: otherLane, laneCap: 2 })];
      const [refused, stored] = await receiveAll(store, items, { cursor: "7" });
      assert.deepEqual([refused?.outcome, refused?.deliveries], ["refused", ["full"]]);
      assert.equal(stored?.outcome, "stored");
      assert.equal((await store.read.lane(sampleLane)).waiting, 2);
      assert.deepEqual(await store.read.writers(sampleLane), []);
      assert.equal(await store.read.delivery("d"), undefined);
      assert.equal(await store.read.cursor("test", "default"), "7");
      const history = await store.read.history({ address: sampleAddress, limit: 9 });
      assert.deepEqual(
        history?.map(({ id }) => id),
        ["a", "b", "full", "x"],
      );
    },
  },
  {
    name: "full lane: a repeat of the refused item is refused again and names `ifFull`",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      const step = sampleReceive([sampleMessage("b", { laneCap: 1, ifFull: sampleDelivery("full") })]);
      const [refused] = await receiveAll(store, step.items);
      await assertChangesNothing(store, step, {
        status: "done",
        items: [{ outcome: "refused", seq: refused?.seq ?? 0, deliveries: ["full"] }],
      });
    },
  },
  {
    name: "full lane: what runs is not counted, within one batch either",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      await claimLane(store, sampleLane, "c1");
      assert.equal((await receiveAll(store, [sampleMessage("b", { laneCap: 1 })]))[0]?.outcome, "stored");
      const lane = otherLane;
      const batch = [sampleMessage("x", { lane, laneCap: 1 }), sampleMessage("y", { lane, laneCap: 1 })];
      const results = await receiveAll(store, batch, { claim: { owner: "o", claimId: "c2" } });
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ["stored", "stored"],
      );
    },
  },
  {
    name: "full lane: commands are neither counted nor refused",
    async run(harness) {
      const store = await harness.open();
      const batch = [sampleCommand("/a", { laneCap: 1 }), sampleCommand("/b", { laneCap: 1 })];
      await receiveAll(store, batch);
      const [message] = await receiveAll(store, [sampleMessage("a", { laneCap: 1 })]);
      const [command] = await receiveAll(store, [sampleCommand("/c", { laneCap: 1 })]);
      assert.deepEqual([message?.outcome, command?.outcome], ["stored", "stored"]);
      assert.equal((await store.read.lane(sampleLane)).waiting, 1);
      assert.equal((await store.read.waitingCommands({ limit: 9 })).length, 3);
    },
  },
];
