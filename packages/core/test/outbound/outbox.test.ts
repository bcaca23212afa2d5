import type { DeliveryReceipt } from "@banyan/plugin-sdk";
import { type Store, StoreError } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

async function open(): Promise<OutboxDesk> {
  const desk = new OutboxDesk();
  await desk.connect();
  return desk;
}

/** The first sends of the platform fail so; then it takes everything. */
function failFirst(desk: OutboxDesk, times: number, error: () => unknown): void {
  let left = times;
  desk.answer = async ({ deliveryId }) => {
    if (left === 0) return { platformId: `p-${deliveryId}` };
    left -= 1;
    throw error();
  };
}

describe("order", () => {
  it("keeps the order within a chat, threads included, and one message at a time", async () => {
    const desk = await open();
    const gates: PromiseWithResolvers<DeliveryReceipt>[] = [];
    desk.answer = () => {
      const gate = Promise.withResolvers<DeliveryReceipt>();
      gates.push(gate);
      return gate.promise;
    };
    await desk.post(buildRow("a"), buildRow("b", { thread: "7" }), buildRow("c"));
    for (const expected of [["text a.0"], ["text a.0", "text b.0"], ["text a.0", "text b.0", "text c.0"]]) {
      expect(desk.texts).toEqual(expected);
      gates.at(-1)?.resolve({ platformId: "p" });
      await quiet();
    }
    expect(desk.mostInFlight).toBe(1);
    expect((await desk.row("c.0")).state).toBe("sent");
  });

  it("keeps no chat waiting for another one", async () => {
    const desk = await open();
    desk.answer = async ({ address, deliveryId }) => {
      if (address.endsWith("/ada")) await new Promise(() => undefined);
      return { platformId: deliveryId };
    };
    await desk.post(buildRow("a"), buildRow("b"), buildRow("c", { chat: "bob" }), buildRow("d", { chat: "bob" }));
    expect(desk.texts).toEqual(["text a.0", "text c.0", "text d.0"]);
  });

  it("has at most 256 under way, whatever waits, and gives up none", async () => {
    const desk = await open();
    const gate = Promise.withResolvers<void>();
    desk.answer = async ({ deliveryId }) => {
      await gate.promise;
      return { platformId: deliveryId };
    };
    await desk.post(...Array.from({ length: 600 }, (_, n) => buildRow(`d${n}`, { chat: `chat ${n}` })));
    expect(desk.inFlight).toBe(256);
    gate.resolve();
    await quiet();
    expect(desk.sent).toHaveLength(600);
    expect(desk.mostInFlight).toBe(256);
    expect((await desk.store.read.counts()).unsettledDeliveries).toBe(0);
  });

  it("tells the plugin all it needs to recognise a repeat, and stores the platform's id", async () => {
    const desk = await open();
    await desk.post(
      buildRow("d", { thread: "7", of: 2, text: "one" }),
      buildRow("d", { thread: "7", part: 1, of: 2, text: "two" }),
    );
    const known = { deliveryId: "d", of: 2, address: "irc/default/dm/ada/7", kind: "reply", attempt: 1 };
    const expected = { ...known, createdAt: 1_000_000, mayHaveArrived: false };
    expect(desk.sent).toEqual([
      { ...expected, part: 0, text: "one" },
      { ...expected, part: 1, text: "two" },
    ]);
    expect(await desk.row("d.1")).toMatchObject({ state: "sent", platformId: "p-d.1", attempts: 1 });
  });
});

describe("failures", () => {
  it("tries again after a while, and what stands behind it waits", async () => {
    const desk = await open();
    failFirst(desk, 2, () => fails("definite"));
    await desk.post(buildRow("a"), buildRow("b"));
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 1, maybeRepeated: false });
    await desk.ports.clock.advance(999);
    expect(desk.sent).toHaveLength(1);
    await desk.ports.clock.advance(1);
    expect(desk.sent).toHaveLength(2);
    await desk.ports.clock.advance(2_000);
    expect(desk.sent.map(({ text, attempt }) => [text, attempt])).toEqual([
      ["text a.0", 1],
      ["text a.0", 2],
      ["text a.0", 3],
      ["text b.0", 1],
    ]);
  });

  it.each([
    ["at-least-once", "(may be repeated)\ntext a.0", "sent_maybe_repeated"],
    ["effectively-once", "text a.0", "sent"],
  ] as const)("sends what may have arrived again: %s", async (policy, text, state) => {
    const desk = await open();
    failFirst(desk, 1, () => new Error("reset"));
    await desk.post(buildRow("a", { policy }));
    expect((await desk.row("a.0")).maybeRepeated).toBe(true);
    await desk.ports.clock.advance(1_000);
    expect(desk.texts).toEqual(["text a.0", text]);
    // So that a platform's history can be looked through from then on.
    expect(desk.sent.map(({ mayHaveArrived }) => mayHaveArrived)).toEqual([false, true]);
    expect(desk.sent.map(({ createdAt }) => createdAt)).toEqual([1_000_000, 1_000_000]);
    expect((await desk.row("a.0")).state).toBe(state);
  });

  it("keeps the mark when a later failure is a definite one", async () => {
    const desk = await open();
    const errors = [fails("ambiguous"), fails("definite")];
    failFirst(desk, 2, () => errors.shift());
    await desk.post(buildRow("a"));
    await desk.ports.clock.advance(10_000);
    expect(desk.texts.at(-1)).toBe("(may be repeated)\ntext a.0");
    expect((await desk.row("a.0")).state).toBe("sent_maybe_repeated");
  });

  it("does not send again what may have arrived at most once; an operator's second try is marked", async () => {
    const desk = await open();
    failFirst(desk, 1, () => fails("ambiguous"));
    await desk.post(buildRow("a", { policy: "at-most-once" }));
    await desk.ports.clock.advance(3_600_000);
    expect(desk.sent).toHaveLength(1);
    expect((await desk.row("a.0")).state).toBe("unknown");
    await desk.store.commit({ step: "retry_delivery", id: "a.0", audit: { actor: "o", action: "retry", detail: "" } });
    desk.outbox.reload();
    await quiet();
    expect(desk.texts).toEqual(["text a.0", "(may be repeated)\ntext a.0"]);
    expect((await desk.row("a.0")).state).toBe("sent_maybe_repeated");
  });

  it.each(["permanent", "chat_gone", "thread_gone", "message_gone", "too_long", "bad_markup"] as const)(
    "leaves off at %s and goes on with the next",
    async (errorClass) => {
      const desk = await open();
      failFirst(desk, 1, () => fails(errorClass));
      await desk.post(buildRow("a"), buildRow("b"));
      expect(await desk.row("a.0")).toMatchObject({ state: "undeliverable", error: fails(errorClass).message });
      expect((await desk.row("b.0")).state).toBe("sent");
    },
  );

  it("gives up a plugin that hangs, and takes the message for perhaps arrived", async () => {
    const desk = await open();
    let calls = 0;
    desk.answer = async () => {
      calls += 1;
      return calls === 1 ? new Promise<DeliveryReceipt>(() => undefined) : { platformId: "p" };
    };
    await desk.post(buildRow("a"));
    await desk.ports.clock.advance(119_999);
    expect((await desk.row("a.0")).state).toBe("sending");
    await desk.ports.clock.advance(31_001 + 1_000);
    expect(desk.texts).toEqual(["text a.0", "(may be repeated)\ntext a.0"]);
  });

  it("is stuck after thirty attempts, shown, tried on every half hour, and no longer in the way", async () => {
    const desk = await open();
    desk.answer = async ({ text }) => {
      if (text.includes("text a")) throw fails("definite");
      return { platformId: "p" };
    };
    await desk.post(buildRow("a"), buildRow("b"));
    await desk.ports.clock.advance(511_000 + 20 * 300_000);
    expect(desk.sent.filter(({ deliveryId }) => deliveryId === "a")).toHaveLength(30);
    expect(await desk.row("a.0")).toMatchObject({ state: "stuck", attempts: 30 });
    expect((await desk.row("b.0")).state).toBe("sent");
    await desk.ports.clock.advance(2 * 1_800_000);
    expect((await desk.row("a.0")).attempts).toBeGreaterThanOrEqual(31);
    desk.answer = async () => ({ platformId: "at last" });
    await desk.ports.clock.advance(1_800_000);
    expect(await desk.row("a.0")).toMatchObject({ state: "sent", platformId: "at last" });
  });
});

describe("parts", () => {
  const first = buildRow("d", { of: 2, text: "one" });
  const second = buildRow("d", { part: 1, of: 2, text: "two" });

  it("a later part of a lost one is not sent alone", async () => {
    const desk = await open();
    desk.answer = async () => {
      throw fails("permanent");
    };
    await desk.post(first, second);
    expect(desk.texts).toEqual(["one"]);
    expect(await desk.row("d.1")).toMatchObject({ state: "undeliverable", error: "Part 0 could not be delivered" });
  });

  it("a later part waits behind one that is stuck, costs no attempt, and follows it", async () => {
    const desk = await open();
    desk.answer = async () => {
      throw fails("definite");
    };
    await desk.post(first, second);
    await desk.ports.clock.advance(30 * 300_000);
    expect(new Set(desk.texts)).toEqual(new Set(["one"]));
    expect(await desk.row("d.1")).toMatchObject({ state: "stuck", attempts: 0, error: "Part 0 is not delivered yet" });
    desk.answer = async ({ part }) => ({ platformId: `p${part}` });
    await desk.ports.clock.advance(2 * 1_800_000);
    expect(desk.texts.slice(-2)).toEqual(["one", "two"]);
    expect((await desk.row("d.1")).state).toBe("sent");
  });

  it("a later part whose earlier one cannot be read once waits a moment, uncounted, and nothing overtakes it", async () => {
    const store = openTestStore({ clock: { now: () => 1_000_000 } });
    let failures = 1;
    const delivery: Store["read"]["delivery"] = async (id) => {
      if (failures > 0) {
        failures -= 1;
        throw new StoreError("unusable", "The store was read: the disk is busy");
      }
      return store.read.delivery(id);
    };
    const desk = new OutboxDesk({ store: { ...store, read: { ...store.read, delivery } } });
    await desk.connect();
    await desk.post(first, second, buildRow("e"));
    expect(desk.texts).toEqual(["one"]);
    expect(await desk.row("d.1")).toMatchObject({ state: "pending", attempts: 0, maybeRepeated: false });
    await desk.ports.clock.advance(1_000);
    expect(desk.texts).toEqual(["one", "two", "text e.0"]);
    expect(await desk.row("d.1")).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("a row is left to the next start only where the store takes its end no more", async () => {
    const store = openTestStore({ clock: { now: () => 1_000_000 } });
    const desk = new OutboxDesk({ store });
    await desk.connect();
    desk.answer = async ({ deliveryId }) => {
      await store.close();
      return { platformId: deliveryId };
    };
    await desk.post(buildRow("a"));
    expect(desk.ports.logged).toMatchObject([{ level: "error", message: "a delivery is left to the next start" }]);
    expect(desk.outbox.reserve(buildRow("a").chat)).toBe(true);
  });
});
