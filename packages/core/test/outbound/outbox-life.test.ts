import type { DeliveryReceipt } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

async function open(): Promise<OutboxDesk> {
  const desk = new OutboxDesk();
  await desk.connect();
  return desk;
}

describe("rate limits", () => {
  it("hold the chat alone, never send early, and cost no attempt", async () => {
    const desk = await open();
    let limits = 40;
    desk.answer = async ({ deliveryId }) => {
      if (deliveryId === "a" && limits > 0) {
        limits -= 1;
        throw fails("rate_limited", { retryAfterMs: 7_000 });
      }
      return { platformId: deliveryId };
    };
    await desk.post(buildRow("a"), buildRow("b"), buildRow("c", { chat: "bob" }));
    expect(desk.texts).toEqual(["text a.0", "text c.0"]);
    await desk.post(buildRow("d", { chat: "eve" }));
    expect(desk.texts).toHaveLength(3);
    await desk.ports.clock.advance(6_999);
    expect(desk.texts).toHaveLength(3);
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0, maybeRepeated: false });
    await desk.ports.clock.advance(40 * 7_000);
    expect(await desk.row("a.0")).toMatchObject({ state: "sent", attempts: 1 });
    expect(desk.texts.at(-1)).toBe("text b.0");
  });

  it("of the account hold every chat, and the longest one counts", async () => {
    const desk = await open();
    const limits = new Map([
      ["a", 5_000],
      ["b", 60_000],
      ["c", 1_000],
    ]);
    desk.answer = async ({ deliveryId }) => {
      const retryAfterMs = limits.get(deliveryId);
      limits.delete(deliveryId);
      if (retryAfterMs !== undefined) throw fails("rate_limited", { retryAfterMs, isAccountWide: true });
      return { platformId: deliveryId };
    };
    await desk.post(...["a", "b", "c"].map((id) => buildRow(id, { chat: id })));
    await desk.post(buildRow("d", { chat: "d" }));
    expect(desk.outbox.reserve("irc/default/dm/e")).toBe(false);
    await desk.ports.clock.advance(59_999);
    expect(desk.sent).toHaveLength(3);
    await desk.ports.clock.advance(1);
    expect(desk.sent).toHaveLength(7);
    expect((await desk.store.read.counts()).unsettledDeliveries).toBe(0);
  });
});

describe("a row born sending", () => {
  it("is sent without an attempt of its own, and the chat is kept for it meanwhile", async () => {
    const desk = await open();
    const row = buildRow("a");
    expect(desk.outbox.reserve(row.chat)).toBe(true);
    expect(desk.outbox.reserve(row.chat)).toBe(false);
    await desk.post(buildRow("b"));
    expect(desk.sent).toEqual([]);
    await desk.post({ ...row, sendingOwner: "owner" });
    expect(desk.texts).toEqual(["text a.0", "text b.0"]);
    expect(await desk.row("a.0")).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("takes its place before what came meanwhile, its later parts with it, and waits behind no one's retries", async () => {
    const desk = await open();
    const row = buildRow("a", { of: 3 });
    desk.outbox.reserve(row.chat);
    desk.answer = async ({ deliveryId }) => {
      if (deliveryId === "b") throw fails("definite");
      return { platformId: deliveryId };
    };
    await desk.post(buildRow("b"));
    const later = [1, 2].map((part) => buildRow("a", { part, of: 3 }));
    await desk.post({ ...row, sendingOwner: "owner" }, ...later);
    expect(desk.texts).toEqual(["text a.0", "text a.1", "text a.2", "text b.0"]);
    expect(await desk.row("a.0")).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("whose turn did not commit sets the chat free", async () => {
    const desk = await open();
    const { chat } = buildRow("a");
    desk.outbox.reserve(chat);
    await desk.post(buildRow("b"));
    desk.outbox.release(chat);
    await quiet();
    expect(desk.texts).toEqual(["text b.0"]);
    expect(desk.outbox.reserve(chat)).toBe(true);
    desk.outbox.release(chat);
    expect(await desk.postReserved(buildRow("c"))).toBe(true);
    expect(desk.texts).toEqual(["text b.0", "text c.0"]);
  });

  it("is refused where something of the chat waits, and before the account has read what waits", async () => {
    const desk = new OutboxDesk();
    expect(desk.outbox.reserve(buildRow("a").chat)).toBe(false);
    desk.answer = () => new Promise(() => undefined);
    desk.outbox.connect({ send: () => new Promise<DeliveryReceipt>(() => undefined) });
    expect(desk.outbox.reserve(buildRow("a").chat)).toBe(false);
    await quiet();
    await desk.post(buildRow("a"));
    expect(desk.outbox.reserve(buildRow("a").chat)).toBe(false);
    expect(desk.outbox.reserve(buildRow("a", { thread: "7" }).chat)).toBe(false);
    expect(desk.outbox.reserve(buildRow("a", { chat: "bob" }).chat)).toBe(true);
  });

  it("that its account cannot send now waits in the store as others do, so that no crash calls it sent", async () => {
    const desk = await open();
    const held = new Set(["b"]);
    desk.answer = async ({ deliveryId }) => {
      if (held.delete(deliveryId)) throw fails("rate_limited", { retryAfterMs: 60_000, isAccountWide: true });
      return { platformId: deliveryId };
    };
    const row = buildRow("a");
    expect(desk.outbox.reserve(row.chat)).toBe(true);
    await desk.post(buildRow("b", { chat: "bob" }));
    await desk.post({ ...row, sendingOwner: "owner" });
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0 });
    expect(await desk.store.commit({ step: "recover", owner: "the next process" })).toMatchObject({ deliveries: 0 });
    await desk.ports.clock.advance(60_000);
    expect(desk.texts).toEqual(["text b.0", "text b.0", "text a.0"]);
    expect(await desk.row("a.0")).toMatchObject({ state: "sent", attempts: 1, maybeRepeated: false });
  });

  it("whose account has lost its connection meanwhile waits in the store, and goes out with the next one", async () => {
    const desk = await open();
    const row = buildRow("a");
    desk.outbox.reserve(row.chat);
    desk.outbox.disconnect();
    await desk.post({ ...row, sendingOwner: "owner" });
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0, maybeRepeated: false });
    await desk.connect();
    expect(desk.texts).toEqual(["text a.0"]);
    expect(await desk.row("a.0")).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("that was never tried gets its attempt back when the account closes", async () => {
    const desk = await open();
    const row = buildRow("a");
    desk.outbox.reserve(row.chat);
    desk.outbox.disconnect();
    await desk.post({ ...row, sendingOwner: "owner" });
    expect(desk.sent).toEqual([]);
    await desk.outbox.close();
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0, maybeRepeated: false });
    expect(desk.outbox.reserve(buildRow("b", { chat: "bob" }).chat)).toBe(false);
  });
});

describe("a connection", () => {
  it("that is gone keeps rows waiting; the next one sends them in order, attempts counted on", async () => {
    const desk = await open();
    desk.outbox.disconnect();
    await desk.post(buildRow("a"), buildRow("b"));
    await desk.post(buildRow("c"));
    await desk.ports.clock.advance(3_600_000);
    expect(desk.sent).toEqual([]);
    await desk.connect();
    expect(desk.texts).toEqual(["text a.0", "text b.0", "text c.0"]);
  });

  it("takes over what an earlier process left, each at its time", async () => {
    const store = openTestStore({ clock: { now: () => 1_000_000 } });
    const earlier = new OutboxDesk({ store });
    await earlier.connect();
    earlier.answer = async () => {
      throw fails("definite");
    };
    await earlier.post(buildRow("a"), buildRow("b"), buildRow("c", { chat: "bob" }));
    const desk = new OutboxDesk({ store });
    await desk.connect();
    expect(desk.sent).toEqual([]);
    await desk.ports.clock.advance(1_000);
    expect(desk.sent.map(({ deliveryId, attempt }) => `${deliveryId} ${attempt}`).sort()).toEqual([
      "a 2",
      "b 1",
      "c 2",
    ]);
    expect(desk.texts.filter((text) => !text.includes("c"))).toEqual(["text a.0", "text b.0"]);
  });

  it("tries on what an earlier process left stuck", async () => {
    const store = openTestStore({ clock: { now: () => 1_000_000 } });
    const earlier = new OutboxDesk({ store });
    await earlier.write([{ ...buildRow("a"), sendingOwner: "owner" }]);
    const outcome = { state: "stuck", error: "x", retryInMs: 1_200_000 } as const;
    await store.commit({ step: "settle", id: "a.0", attempt: 1, outcome });
    const desk = new OutboxDesk({ store });
    await desk.connect();
    await desk.ports.clock.advance(1_199_999);
    expect(desk.sent).toEqual([]);
    await desk.ports.clock.advance(1);
    expect(desk.sent).toHaveLength(1);
    expect((await desk.row("a.0")).state).toBe("sent");
  });

  it("whose credentials are refused stops the account at no cost, and sends on when it is back", async () => {
    const desk = await open();
    desk.answer = async () => {
      throw fails("unauthorized");
    };
    await desk.post(buildRow("a"), buildRow("b"), buildRow("c", { chat: "bob" }));
    expect(desk.unauthorized.map((error) => error.class)).toContain("unauthorized");
    const before = desk.sent.length;
    await desk.post(buildRow("d", { chat: "eve" }));
    await desk.ports.clock.advance(3_600_000);
    expect(desk.sent).toHaveLength(before);
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0 });
    desk.answer = async ({ deliveryId }) => ({ platformId: deliveryId });
    await desk.connect();
    expect((await desk.store.read.counts()).unsettledDeliveries).toBe(0);
    expect(desk.texts.slice(before).sort()).toEqual(["text a.0", "text b.0", "text c.0", "text d.0"]);
  });

  it("that closes waits for what is under way", async () => {
    const desk = await open();
    const gate = Promise.withResolvers<DeliveryReceipt>();
    desk.answer = () => gate.promise;
    await desk.post(buildRow("a"), buildRow("b"));
    let isClosed = false;
    const closing = desk.outbox.close().then(() => {
      isClosed = true;
    });
    await quiet();
    expect(isClosed).toBe(false);
    gate.resolve({ platformId: "p" });
    await closing;
    expect((await desk.row("a.0")).state).toBe("sent");
    expect(await desk.row("b.0")).toMatchObject({ state: "pending", attempts: 0 });
    expect(desk.sent).toHaveLength(1);
  });

  it("that comes back after the end sends nothing more", async () => {
    const desk = await open();
    await desk.outbox.close();
    await desk.connect();
    await desk.post(buildRow("a"));
    expect(desk.outbox.reserve(buildRow("b", { chat: "bob" }).chat)).toBe(false);
    expect(desk.sent).toEqual([]);
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0 });
  });
});
