import assert from "node:assert/strict";
import { sampleAddress, sampleDelivery, sampleMessage, sampleReceive } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { getDelivery, writeDelivery } from "../store-script.ts";

export const newDeliveryCases: readonly StoreCase[] = [
  {
    name: "delivery: born pending, never tried, due at once; or sending at attempt 1 by its owner",
    async run(harness) {
      const store = await harness.open();
      const row = await writeDelivery(store, sampleDelivery("d1", { sessionKey: "k" }));
      const { deliveryId, part, of, kind, channel, account, address, chat, policy, body } = sampleDelivery("d1");
      const { createdAtMs, nextAtMs, pos } = row;
      const frozen = { id: "d1", deliveryId, part, of, kind, channel, account, address, chat, policy, body };
      const born = { sessionKey: "k", state: "pending", attempts: 0, maybeRepeated: false } as const;
      assert.deepEqual(row, { ...frozen, ...born, createdAtMs, nextAtMs, pos });
      assert.equal(nextAtMs, createdAtMs);
      const sending = await writeDelivery(store, sampleDelivery("d2", { sendingOwner: "o" }));
      assert.deepEqual([sending.state, sending.attempts, sending.owner], ["sending", 1, "o"]);
      assert.equal("sessionKey" in sending || "platformId" in sending || "error" in sending, false);
    },
  },
  {
    name: "delivery: born undeliverable, where nobody is left to tell; it waits for nobody and can be retried",
    async run(harness) {
      const store = await harness.open();
      const row = await writeDelivery(
        store,
        sampleDelivery("d", { undeliverable: "nobody is left", sendingOwner: "o" }),
      );
      const { state, attempts, error } = row;
      assert.deepEqual({ state, attempts, error }, { state: "undeliverable", attempts: 0, error: "nobody is left" });
      assert.equal("owner" in row || "undeliverable" in row, false);
      assert.equal((await store.read.counts()).unsettledDeliveries, 0);
      const audit = { actor: "op", action: "retry", detail: "d" };
      assert.deepEqual(await store.commit({ step: "retry_delivery", id: "d", audit }), { status: "done" });
      assert.equal((await getDelivery(store, "d")).state, "pending");
    },
  },
  {
    name: "delivery: a row that exists is left alone",
    async run(harness) {
      const store = await harness.open();
      const row = await writeDelivery(store, sampleDelivery("d"));
      const again = sampleDelivery("d", { body: '{"text":"other"}', sendingOwner: "o", address: "test|default|eve" });
      await store.commit(sampleReceive([sampleMessage("a", { deliveries: [again] })]));
      assert.deepEqual(await getDelivery(store, "d"), row);
    },
  },
  {
    name: "quiet: left out for a while after a row with the same key, and not counted again by being left out",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      const quiet = { key: "refused ada", ms: 1_000 };
      const write = async (id: string, key = quiet.key) => {
        const deliveries = [sampleDelivery(id, { quiet: { ...quiet, key } })];
        const result = await store.commit(sampleReceive([sampleMessage(`for ${id}`, { deliveries })]));
        return result.status === "done" ? result.items[0]?.deliveries : undefined;
      };
      assert.deepEqual(await write("d1"), ["d1"]);
      await harness.advance?.(999);
      assert.deepEqual([await write("d2"), await write("d3", "refused bob")], [[], ["d3"]]);
      await harness.advance?.(1);
      assert.deepEqual(await write("d4"), ["d4"]);
      assert.equal(await store.read.delivery("d2"), undefined);
    },
  },
  {
    name: "quiet: also within one step, and whatever became of the earlier row",
    async run(harness) {
      const store = await harness.open();
      const quiet = { key: "k", ms: 3_600_000 };
      const deliveries = [sampleDelivery("d1", { quiet, sendingOwner: "o" }), sampleDelivery("d2", { quiet })];
      await store.commit(sampleReceive([sampleMessage("a", { deliveries })]));
      const outcome = { state: "undeliverable", error: "gone" } as const;
      await store.commit({ step: "settle", id: "d1", attempt: 1, outcome });
      await store.commit(sampleReceive([sampleMessage("b", { deliveries: [sampleDelivery("d3", { quiet })] })]));
      const history = await store.read.history({ address: sampleAddress, limit: 9 });
      assert.deepEqual(
        history?.map(({ id }) => id),
        ["a", "d1", "b"],
      );
    },
  },
];
