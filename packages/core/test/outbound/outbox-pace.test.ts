import type { Address, PaceAbility } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { buildRow, fails, OutboxDesk } from "./outbox-desk.ts";

/** One message a second in a chat, and so many a second over all chats. */
class Pace implements PaceAbility {
  asked = 0;
  readonly #desk: OutboxDesk;
  readonly #accountGapMs: number;
  readonly #nextByChat = new Map<Address, number>();
  #next = 0;

  constructor(desk: OutboxDesk, accountGapMs = 0) {
    this.#desk = desk;
    this.#accountGapMs = accountGapMs;
  }

  take(address: Address): number {
    this.asked += 1;
    const now = this.#desk.ports.clock.monotonic();
    const due = Math.max(this.#nextByChat.get(address) ?? 0, this.#next);
    if (due > now) return due - now;
    this.#nextByChat.set(address, now + 1_000);
    this.#next = now + this.#accountGapMs;
    return 0;
  }
}

async function openPaced(accountGapMs?: number): Promise<{ desk: OutboxDesk; pace: Pace; commits: () => number }> {
  let commits = 0;
  const desk = new OutboxDesk({
    fault: (_step, when) => {
      if (when === "after") commits += 1;
      return "none";
    },
  });
  const pace = new Pace(desk, accountGapMs);
  desk.pace = pace;
  await desk.connect();
  return { desk, pace, commits: () => commits };
}

describe("a platform's pace", () => {
  it("is kept in a chat without an attempt, a write or a word to the other chats", async () => {
    const { desk, commits } = await openPaced();
    await desk.post(buildRow("a"), buildRow("b"), buildRow("c", { chat: "bob" }));
    expect(desk.texts).toEqual(["text a.0", "text c.0"]);
    const before = commits();
    await desk.ports.clock.advance(999);
    expect(commits()).toBe(before);
    expect(await desk.row("b.0")).toMatchObject({ state: "pending", attempts: 0 });
    await desk.ports.clock.advance(1);
    expect(desk.texts).toEqual(["text a.0", "text c.0", "text b.0"]);
    expect(await desk.row("b.0")).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("of the whole account waits with one timer, asks each chat once a time, and serves them in their order", async () => {
    const { desk, pace } = await openPaced(100);
    const ids = Array.from({ length: 50 }, (_, n) => `d${n}`);
    const [first = [], ...others] = ids.map((id) => [buildRow(id, { chat: id })]);
    await desk.post(...first);
    const { waiting } = desk.ports.clock;
    await desk.post(...others.flat());
    expect(desk.texts).toEqual(["text d0.0"]);
    expect(desk.ports.clock.waiting).toBe(waiting + 1);
    const asked = pace.asked;
    await desk.ports.clock.advance(99);
    expect(pace.asked).toBe(asked);
    await desk.ports.clock.advance(1);
    expect(pace.asked - asked).toBe(49);
    await desk.ports.clock.advance(4_800);
    expect(desk.texts).toEqual(ids.map((id) => `text ${id}.0`));
    expect(desk.ports.clock.waiting).toBe(waiting);
  });

  it("lets a row be born `sending` only where its place is taken, and asks no second time for it", async () => {
    const { desk, pace } = await openPaced();
    expect(await desk.postReserved(buildRow("a"))).toBe(true);
    expect(pace.asked).toBe(1);
    expect(await desk.postReserved(buildRow("b"))).toBe(false);
    expect(await desk.row("b.0")).toMatchObject({ state: "pending", attempts: 0 });
    expect(await desk.postReserved(buildRow("c", { chat: "bob" }))).toBe(true);
    await desk.ports.clock.advance(1_000);
    expect(desk.texts).toEqual(["text a.0", "text c.0", "text b.0"]);
  });

  it.each([
    ["throws", () => JSON.parse("no number")],
    ["answers no number", () => JSON.parse('"soon"')],
    ["answers a time that was", () => -5],
  ])("of a plugin that %s keeps nobody waiting", async (_what, take) => {
    const desk = new OutboxDesk();
    desk.pace = { take };
    await desk.connect();
    await desk.post(buildRow("a"));
    expect(desk.texts).toEqual(["text a.0"]);
  });

  it("that never ends is asked for again within a minute", async () => {
    const desk = new OutboxDesk();
    let waitMs = Number.POSITIVE_INFINITY;
    desk.pace = { take: () => waitMs };
    await desk.connect();
    await desk.post(buildRow("a"));
    waitMs = 0;
    await desk.ports.clock.advance(60_000);
    expect(desk.texts).toEqual(["text a.0"]);
  });
});

describe("an account on hold", () => {
  it("has no row marked `sending`, also one that was reserved before the hold came", async () => {
    const desk = new OutboxDesk();
    await desk.connect();
    const reserved = buildRow("a");
    expect(desk.outbox.reserve(reserved.chat)).toBe(true);
    desk.answer = async () => {
      throw fails("rate_limited", { retryAfterMs: 9_000, isAccountWide: true });
    };
    await desk.post(buildRow("b", { chat: "bob" }));
    desk.answer = async ({ deliveryId }) => ({ platformId: deliveryId });
    await desk.post({ ...reserved, sendingOwner: "owner" });
    expect(await desk.row("a.0")).toMatchObject({ state: "pending", attempts: 0, maybeRepeated: false });
    await desk.ports.clock.advance(8_999);
    expect(desk.texts).toEqual(["text b.0"]);
    await desk.ports.clock.advance(1);
    expect(desk.texts.slice(1).sort()).toEqual(["text a.0", "text b.0"]);
    expect(await desk.row("a.0")).toMatchObject({ state: "sent", attempts: 1 });
  });

  it("sends nothing of what was just begun when the hold came", async () => {
    const store = openTestStore({ clock: { now: () => 1_000_000 } });
    const written = Promise.withResolvers<void>();
    const commit: Store["commit"] = async (step) => {
      if (step.step === "attempt" && step.id === "b.0") await written.promise;
      return store.commit(step);
    };
    const desk = new OutboxDesk({ store: { ...store, commit } });
    await desk.connect();
    desk.answer = async () => {
      throw fails("rate_limited", { retryAfterMs: 9_000, isAccountWide: true });
    };
    await desk.post(buildRow("a"), buildRow("b", { chat: "bob" }));
    written.resolve();
    await quiet();
    expect(desk.texts).toEqual(["text a.0"]);
    expect(await desk.row("b.0")).toMatchObject({ state: "pending", attempts: 0 });
  });

  it("keeps a place for each row that is being written: none waits as `sending` behind others", async () => {
    const desk = new OutboxDesk();
    await desk.connect();
    const rows = Array.from({ length: 300 }, (_, n) => buildRow(`d${n}`, { chat: `chat ${n}` }));
    expect(rows.filter(({ chat }) => desk.outbox.reserve(chat))).toHaveLength(256);
    desk.outbox.release(rows[0]?.chat ?? "");
    expect(desk.outbox.reserve(rows[299]?.chat ?? "")).toBe(true);
  });
});

describe("a chat that is gone", () => {
  it("ends what waits for it, each with its reason, and is tried again with the next answer", async () => {
    const desk = new OutboxDesk();
    await desk.connect();
    desk.answer = async () => {
      throw fails("chat_gone");
    };
    await desk.post(buildRow("a"), buildRow("b"));
    for (const id of ["a.0", "b.0"])
      expect(await desk.row(id)).toMatchObject({ state: "undeliverable", error: fails("chat_gone").message });
    desk.answer = async ({ deliveryId }) => ({ platformId: deliveryId });
    expect(await desk.postReserved(buildRow("c"))).toBe(true);
    expect(await desk.row("c.0")).toMatchObject({ state: "sent", attempts: 1 });
  });
});
