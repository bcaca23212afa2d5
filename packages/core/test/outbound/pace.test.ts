import { describe, expect, it } from "vitest";
import { AccountHold } from "../../src/outbound/pace.ts";
import { ManualClock, quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

const LIMIT = fails("rate_limited", { retryAfterMs: 60_000, isAccountWide: true });

describe("a limit of the whole account", () => {
  it("counts from the platform's word, not from when the store has taken it", async () => {
    let isFull = true;
    const desk = new OutboxDesk({
      fault: (step, when) => (isFull && when === "before" && step.step === "settle" ? "full" : "none"),
    });
    await desk.connect();
    desk.answer = () => Promise.reject(LIMIT);
    await desk.post(buildRow("a", { chat: "ada" }));
    desk.answer = async () => ({ platformId: "p" });
    await desk.post(buildRow("b", { chat: "bob" }));
    expect(desk.texts).toEqual(["text a.0"]);
    isFull = false;
    await desk.ports.clock.advance(59_999);
    expect(desk.texts).toEqual(["text a.0"]);
    await desk.ports.clock.advance(1);
    expect([...desk.texts].sort()).toEqual(["text a.0", "text a.0", "text b.0"]);
  });

  it("stops a message whose attempt has begun and which is not sent yet, and that costs it nothing", async () => {
    const desk = new OutboxDesk();
    await desk.connect();
    const limit = Promise.withResolvers<never>();
    desk.answer = ({ deliveryId }) =>
      deliveryId === "a" ? limit.promise : Promise.resolve({ platformId: deliveryId });
    const { commit } = desk.store;
    const begun = Promise.withResolvers<void>();
    desk.store.commit = async (step) => {
      const result = await commit(step);
      if (step.step === "attempt" && step.id === "b.0") await begun.promise;
      return result;
    };
    await desk.post(buildRow("a", { chat: "ada" }), buildRow("b", { chat: "bob" }));
    limit.reject(LIMIT);
    await quiet();
    begun.resolve();
    await quiet();
    expect(desk.texts).toEqual(["text a.0"]);
    expect(await desk.row("b.0")).toMatchObject({ state: "pending", attempts: 0, maybeRepeated: false });
    desk.answer = async () => ({ platformId: "p" });
    await desk.ports.clock.advance(60_000);
    expect([...desk.texts].sort()).toEqual(["text a.0", "text a.0", "text b.0"]);
  });

  it("is waited for to its end when a timer rings a little early", () => {
    const clock = new ManualClock();
    const rings: (() => void)[] = [];
    let elapsedMs = 0;
    let ends = 0;
    const early = {
      ...clock,
      now: () => 0,
      monotonic: () => elapsedMs,
      schedule: (_: number, ring: () => void) => {
        rings.push(ring);
        return () => undefined;
      },
    };
    const hold = new AccountHold(early, () => {
      ends += 1;
    });
    hold.begin(1_000);
    elapsedMs = 999.6;
    rings.shift()?.();
    expect([ends, rings.length]).toEqual([0, 1]);
    elapsedMs = 1_000;
    rings.shift()?.();
    expect([ends, hold.leftMs]).toEqual([1, 0]);
  });
});

it("a message behind one that is due is not sent before its own time, also after a restart", async () => {
  const store = openTestStore({ clock: { now: () => 1_000_000 } });
  const earlier = new OutboxDesk({ store });
  await earlier.write([buildRow("a"), buildRow("b")]);
  await store.commit({ step: "attempt", id: "b.0", owner: "owner", attempt: 1 });
  const outcome = { state: "pending", error: "x", retryInMs: 9_000 } as const;
  await store.commit({ step: "settle", id: "b.0", attempt: 1, outcome });
  const desk = new OutboxDesk({ store });
  await desk.connect();
  await desk.ports.clock.advance(8_999);
  expect(desk.texts).toEqual([]);
  await desk.ports.clock.advance(1);
  expect(desk.texts).toEqual(["text a.0", "text b.0"]);
});

it("a clock that was set back by hours holds up nobody for hours", async () => {
  const store = openTestStore({ clock: { now: () => 1_000_000 + 5 * 60 * 60_000 } });
  const earlier = new OutboxDesk({ store });
  await earlier.write([{ ...buildRow("a"), sendingOwner: "owner" }, buildRow("b")]);
  const outcome = { state: "pending", error: "x", retryInMs: 9_000 } as const;
  await store.commit({ step: "settle", id: "a.0", attempt: 1, outcome });
  const desk = new OutboxDesk({ store });
  await desk.connect();
  expect(desk.texts).toEqual([]);
  await desk.ports.clock.advance(5 * 60_000);
  expect(desk.texts).toEqual(["text a.0", "text b.0"]);
});

it("what an operator reads of a failed attempt holds no known secret", async () => {
  const desk = new OutboxDesk({ scrub: (text) => text.replaceAll("tok-123456", "[secret]") });
  await desk.connect();
  desk.answer = () => Promise.reject(new Error("no answer for tok-123456"));
  await desk.post(buildRow("a"));
  expect((await desk.row("a.0")).error).toBe("The plugin failed while sending: no answer for [secret]");
});

it("a message that may have arrived in a chat that is gone now is unknown, not undelivered", async () => {
  for (const policy of ["at-least-once", "effectively-once"] as const) {
    const desk = new OutboxDesk();
    await desk.connect();
    const errors = [fails("ambiguous"), fails("chat_gone")];
    desk.answer = () => Promise.reject(errors.shift());
    await desk.post(buildRow("a", { policy }));
    await desk.ports.clock.advance(2_000);
    expect(await desk.row("a.0")).toMatchObject({ state: "unknown", attempts: 2 });
  }
});
