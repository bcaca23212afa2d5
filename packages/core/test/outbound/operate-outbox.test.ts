import type { SettleOutcome } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { createOutboxOperations } from "../../src/outbound/operate-outbox.ts";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

/** A store with one delivery in each state, and a record of what the outbox was told. */
async function open() {
  const store = openTestStore();
  const desk = new OutboxDesk({ store });
  const settle = (id: string, outcome: SettleOutcome) => store.commit({ step: "settle", id, attempt: 1, outcome });
  const born = (id: string) => ({ ...buildRow(id, { chat: `of ${id}` }), sendingOwner: "owner" });
  await desk.write([...["sent", "undeliverable", "unknown", "stuck", "sending"].map(born), buildRow("pending")]);
  await settle("sent.0", { state: "sent", platformId: "p" });
  await settle("undeliverable.0", { state: "undeliverable", error: "gone" });
  await settle("unknown.0", { state: "unknown", error: "lost" });
  await settle("stuck.0", { state: "stuck", error: "away", retryInMs: 1_000 });
  const refreshed: string[] = [];
  const operations = createOutboxOperations(store, { refresh: ({ chat }) => void refreshed.push(chat) });
  return { store, desk, operations, refreshed };
}

describe("retry", () => {
  it.each([
    ["undeliverable.0", false],
    ["unknown.0", true],
    ["stuck.0", false],
    ["pending.0", false],
  ])("makes %s due again, from the first attempt, and tells the account", async (id, maybeRepeated) => {
    const { desk, operations, refreshed, store } = await open();
    expect(await operations.retry(id, "ada")).toEqual({ id });
    expect(await desk.row(id)).toMatchObject({ state: "pending", attempts: 0, maybeRepeated });
    expect(refreshed).toHaveLength(1);
    expect(await store.read.audit({ limit: 9 })).toMatchObject([
      { actor: "ada", action: "retry_delivery", detail: id },
    ]);
  });

  it.each(["sent", "sending"])("refuses one that is %s with a sentence", async (state) => {
    const { operations, refreshed } = await open();
    await expect(operations.retry(`${state}.0`, "ada")).rejects.toMatchObject({
      code: "delivery_unchanged",
      message: `The delivery ${state}.0 was to be retried: it is ${state}; only one that waits or has failed can be`,
    });
    expect(refreshed).toEqual([]);
  });
});

describe("drop", () => {
  it.each(["pending.0", "stuck.0", "unknown.0", "undeliverable.0"])("settles %s as undeliverable", async (id) => {
    const { desk, operations } = await open();
    expect(await operations.drop(id, "ada")).toEqual({ id });
    expect((await desk.row(id)).state).toBe("undeliverable");
  });

  it.each(["sent", "sending"])("refuses one that is %s with a sentence", async (state) => {
    const { operations } = await open();
    await expect(operations.drop(`${state}.0`, "ada")).rejects.toThrow(/was to be dropped: it is/);
  });
});

describe("ids", () => {
  it("may be shortened to what names one delivery; a whole one counts even where others begin alike", async () => {
    const { desk, operations } = await open();
    expect(await operations.drop("pen", "ada")).toEqual({ id: "pending.0" });
    await desk.write([
      buildRow("d", { of: 11 }),
      buildRow("d", { part: 1, of: 11 }),
      buildRow("d", { part: 10, of: 11 }),
    ]);
    expect(await operations.drop("d.1", "ada")).toEqual({ id: "d.1" });
    await expect(operations.drop("d.", "ada")).rejects.toThrow('3 deliveries match "d."; give more of the id');
  });

  it.each(["nothing", "", "end", "%", "sent"])(
    "that name none waiting (%j) are refused with a sentence",
    async (id) => {
      const { operations } = await open();
      await expect(operations.retry(id, "ada")).rejects.toMatchObject({
        code: "delivery_not_found",
        message: `No delivery matches ${JSON.stringify(id)}; banyan outbox list shows them`,
      });
    },
  );

  it("are found behind more than a thousand others", async () => {
    const { desk, operations } = await open();
    await desk.write(Array.from({ length: 2_100 }, (_, n) => buildRow(`m${n}`, { chat: `${n}` })));
    expect(await operations.drop("m2099", "ada")).toEqual({ id: "m2099.0" });
  });
});

describe("with the account's outbox", () => {
  async function openLive() {
    const desk = new OutboxDesk();
    await desk.connect();
    const operations = createOutboxOperations(desk.store, { refresh: ({ chat }) => desk.outbox.refresh(chat) });
    return { desk, operations };
  }

  it("a delivery that waits for its next attempt is sent at once", async () => {
    const { desk, operations } = await openLive();
    desk.answer = async () => {
      throw fails("definite");
    };
    await desk.post(buildRow("a"), buildRow("b"));
    await desk.ports.clock.advance(10_000);
    const before = desk.sent.length;
    desk.answer = async ({ deliveryId }) => ({ platformId: deliveryId });
    await operations.retry("a.0", "ada");
    await quiet();
    expect(desk.sent.slice(before).map(({ text, attempt }) => [text, attempt])).toEqual([
      ["text a.0", 1],
      ["text b.0", 1],
    ]);
  });

  it("not before the platform's limit is over", async () => {
    const { desk, operations } = await openLive();
    desk.answer = async () => {
      throw fails("rate_limited", { retryAfterMs: 60_000 });
    };
    await desk.post(buildRow("a"));
    desk.answer = async ({ deliveryId }) => ({ platformId: deliveryId });
    await operations.retry("a.0", "ada");
    await desk.ports.clock.advance(59_999);
    expect(desk.sent).toHaveLength(1);
    await desk.ports.clock.advance(1);
    expect((await desk.row("a.0")).state).toBe("sent");
  });

  it("a dropped one is not sent, and what stands behind it goes on", async () => {
    const { desk, operations } = await openLive();
    desk.answer = async () => {
      throw fails("definite");
    };
    await desk.post(buildRow("a"), buildRow("b"));
    desk.answer = async ({ deliveryId }) => ({ platformId: deliveryId });
    await operations.drop("a.0", "ada");
    await desk.ports.clock.advance(10_000);
    expect(desk.texts).toEqual(["text a.0", "text b.0"]);
    expect((await desk.row("a.0")).state).toBe("undeliverable");
  });

  it("a row of the chat that is born sending and not yet sent is not lost", async () => {
    const { desk, operations } = await openLive();
    const row = buildRow("a");
    desk.outbox.reserve(row.chat);
    desk.outbox.disconnect();
    await desk.post({ ...row, sendingOwner: "owner" }, buildRow("b"));
    await operations.retry("b.0", "ada");
    await desk.connect();
    expect(desk.texts).toEqual(["text a.0", "text b.0"]);
  });
});
