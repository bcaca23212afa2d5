import assert from "node:assert/strict";
import type { Store } from "../../store.ts";
import { otherAddress, sampleAddress, sampleDelivery } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { writeDelivery } from "../store-script.ts";

const IDS: readonly string[] = ["p3", "p1", "p2", "none", "p1"];

async function send(store: Store, id: string, platformId: string, address: string = sampleAddress): Promise<void> {
  await writeDelivery(store, sampleDelivery(id, { sendingOwner: "o", address, chat: address }));
  await store.commit({ step: "settle", id, attempt: 1, outcome: { state: "sent", platformId } });
}

export const receiptCases: readonly StoreCase[] = [
  {
    name: "receipts: of the ids that are asked for, those of deliveries at the address, each once and in that order",
    async run(harness) {
      const store = await harness.open();
      await send(store, "a", "p1");
      await send(store, "b", "p2");
      await send(store, "again", "p1");
      await send(store, "elsewhere", "p3", otherAddress);
      const read = (address: string, platformIds = IDS) => store.read.receipts({ address, platformIds });
      assert.deepEqual(await read(sampleAddress), ["p1", "p2"]);
      assert.deepEqual(await read(otherAddress), ["p3"]);
      assert.deepEqual(await read("test|default|nobody"), []);
      assert.deepEqual(await read(sampleAddress, []), []);
    },
  },
  {
    name: "receipts: a delivery that the platform has not confirmed has none",
    async run(harness) {
      const store = await harness.open();
      await writeDelivery(store, sampleDelivery("waits"));
      await writeDelivery(store, sampleDelivery("lost", { sendingOwner: "o" }));
      await store.commit({ step: "settle", id: "lost", attempt: 1, outcome: { state: "unknown", error: "cut off" } });
      assert.deepEqual(await store.read.receipts({ address: sampleAddress, platformIds: IDS }), []);
      const outcome = { state: "sent_maybe_repeated", platformId: "p2" } as const;
      await store.commit({ step: "attempt", id: "waits", owner: "o", attempt: 1 });
      await store.commit({ step: "settle", id: "waits", attempt: 1, outcome });
      assert.deepEqual(await store.read.receipts({ address: sampleAddress, platformIds: IDS }), ["p2"]);
    },
  },
];
