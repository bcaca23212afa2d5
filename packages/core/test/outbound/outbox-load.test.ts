import type { NewDelivery, Store } from "@banyan/store";
import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

/** A store whose next list of deliveries is as old as it was when asked, and comes when the test says. */
function slowReads(store: Store) {
  let gate: PromiseWithResolvers<void> | undefined;
  const slow: Store = {
    ...store,
    read: {
      ...store.read,
      deliveries: async (query) => {
        const page = await store.read.deliveries(query);
        await gate?.promise;
        return page;
      },
    },
  };
  return {
    store: slow,
    hold: () => {
      gate = Promise.withResolvers<void>();
    },
    open: () => gate?.resolve(),
  };
}

it("misses no row that is written meanwhile", async () => {
  const reads = slowReads(openTestStore({ clock: { now: () => 1_000_000 } }));
  const desk = new OutboxDesk({ store: reads.store });
  reads.hold();
  await desk.connect();
  await desk.post(buildRow("a"));
  reads.open();
  await quiet();
  expect(desk.texts).toEqual(["text a.0"]);
});

it("misses no row that becomes due meanwhile", async () => {
  const reads = slowReads(openTestStore({ clock: { now: () => 1_000_000 } }));
  const desk = new OutboxDesk({ store: reads.store });
  desk.answer = async () => {
    throw fails("permanent");
  };
  await desk.connect();
  await desk.post(buildRow("a"));
  reads.hold();
  desk.outbox.reload();
  await quiet();
  await desk.store.commit({ step: "retry_delivery", id: "a.0", audit: { actor: "o", action: "retry", detail: "" } });
  desk.outbox.reload();
  reads.open();
  await quiet();
  expect(desk.sent).toHaveLength(2);
});

it("loses none and keeps the order when more waits than memory takes", async () => {
  const desk = new OutboxDesk();
  await desk.connect();
  const gate = Promise.withResolvers<void>();
  desk.answer = async ({ deliveryId }) => {
    await gate.promise;
    return { platformId: deliveryId };
  };
  const rows: NewDelivery[] = Array.from({ length: 11_500 }, (_, n) => buildRow(`d${n}`, { chat: `chat ${n % 300}` }));
  for (let from = 0; from < rows.length; from += 500) await desk.post(...rows.slice(from, from + 500));
  expect(desk.outbox.reserve(buildRow("x", { chat: "other" }).chat)).toBe(false);
  gate.resolve();
  while ((await desk.store.read.counts()).unsettledDeliveries > 0) await quiet();
  const numbers = new Map<string, number[]>();
  for (const { address, deliveryId } of desk.sent) {
    numbers.set(address, [...(numbers.get(address) ?? []), Number(deliveryId.slice(1))]);
  }
  expect(desk.sent).toHaveLength(11_500);
  expect(numbers.size).toBe(300);
  for (const chat of numbers.values()) expect(chat).toEqual([...chat].sort((a, b) => a - b));
  expect(await desk.postReserved(buildRow("last"))).toBe(true);
});
