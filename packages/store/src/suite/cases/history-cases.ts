import assert from "node:assert/strict";
import type { Store } from "../../store.ts";
import { otherAddress, sampleAddress, sampleCommand, sampleDelivery, sampleMessage } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { receiveAll, receiveOne } from "../store-script.ts";

async function listIds(store: Store, query: { address?: string; afterId?: string; limit?: number } = {}) {
  const rows = await store.read.history({ address: sampleAddress, limit: 9, ...query });
  return rows?.map(({ id }) => id).join(" ");
}

export const historyCases: readonly StoreCase[] = [
  {
    name: "history: messages, commands and deliveries of one address, in the order they were written",
    async run(harness) {
      const store = await harness.open();
      const item = sampleMessage("m1", { deliveries: [sampleDelivery("d1", { kind: "notice" })] });
      const seq = await receiveOne(store, item);
      await receiveOne(store, sampleMessage("elsewhere", { address: otherAddress }));
      await receiveOne(store, sampleCommand("c1"));
      const rows = (await store.read.history({ address: sampleAddress, limit: 9 })) ?? [];
      assert.deepEqual(
        rows.map(({ source, id, kind, body }) => [source, id, kind, body]),
        [
          ["item", "m1", "message", item.body],
          ["delivery", "d1", "notice", sampleDelivery("d1").body],
          ["item", "c1", "command", sampleCommand("c1").body],
        ],
      );
      assert.equal(rows[0]?.pos, seq);
      assert.equal(rows[1]?.pos, (await store.read.delivery("d1"))?.pos);
      assert.equal(rows[1]?.atMs, (await store.read.delivery("d1"))?.createdAtMs);
      assert.deepEqual(Object.keys(rows[0] ?? {}).toSorted(), ["atMs", "body", "id", "kind", "pos", "source"]);
    },
  },
  {
    name: "history: inputs of the house do not show",
    async run(harness) {
      const store = await harness.open();
      const kinds = ["completion", "nested", "system"] as const;
      await receiveAll(
        store,
        kinds.map((kind) => sampleMessage(kind, { kind })),
      );
      assert.equal(await listIds(store), "");
    },
  },
  {
    name: "history: without afterId the newest, with it what follows; an unknown id is undefined, a last one is empty",
    async run(harness) {
      const store = await harness.open();
      await receiveAll(store, [sampleMessage("a"), sampleMessage("b"), sampleMessage("c"), sampleMessage("d")]);
      assert.equal(await listIds(store), "a b c d");
      assert.equal(await listIds(store, { limit: 2 }), "c d");
      assert.equal(await listIds(store, { afterId: "a", limit: 2 }), "b c");
      assert.equal(await listIds(store, { afterId: "c" }), "d");
      assert.equal(await listIds(store, { afterId: "d" }), "");
      assert.equal(await listIds(store, { afterId: "none" }), undefined);
      assert.equal(await listIds(store, { address: otherAddress, afterId: "a" }), undefined);
      assert.equal(await listIds(store, { address: otherAddress }), "");
    },
  },
  {
    name: "history: a delivery can be followed; an id given twice counts from the first",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("m1", { deliveries: [sampleDelivery("d1")] }));
      await receiveOne(store, sampleMessage("m2"));
      await receiveOne(store, sampleMessage("m1", { dedupe: "m1 edited" }));
      await receiveOne(store, sampleMessage("m3"));
      assert.equal(await listIds(store, { afterId: "d1" }), "m2 m1 m3");
      assert.equal(await listIds(store, { afterId: "m1" }), "d1 m2 m1 m3");
    },
  },
  {
    name: "history: whatever becomes of a delivery, its line stays as it was",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("m1", { deliveries: [sampleDelivery("d1", { sendingOwner: "o" })] }));
      const before = await store.read.history({ address: sampleAddress, limit: 9 });
      const outcome = { state: "undeliverable", error: "gone" } as const;
      await store.commit({ step: "settle", id: "d1", attempt: 1, outcome });
      assert.deepEqual(await store.read.history({ address: sampleAddress, limit: 9 }), before);
    },
  },
];
