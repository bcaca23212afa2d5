import { type Address, type ChatKind, formatAddress } from "@banyan/plugin-sdk";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createSendPace } from "../../src/sending/send-pace.ts";

function createPace() {
  let nowMs = 1_000_000;
  const pace = createSendPace({ monotonic: () => nowMs });
  return {
    take: pace.take,
    countChats: () => pace.chatCount,
    advance: (byMs: number) => {
      nowMs += byMs;
    },
    /** When each of `count` messages went, sent as soon as the pace lets it. */
    send: (address: (index: number) => Address, count: number) =>
      Array.from({ length: count }, (_, index) => {
        for (let waitMs = pace.take(address(index)); waitMs > 0; waitMs = pace.take(address(index))) nowMs += waitMs;
        return nowMs;
      }),
  };
}

function chat(id: number, kind: ChatKind = "dm", thread?: string): Address {
  const place = { channel: "telegram", account: "default", kind, chat: String(id) } as const;
  return formatAddress(thread === undefined ? place : { ...place, thread });
}

/** The most that went within any span of this length. */
function countMost(times: readonly number[], spanMs: number): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + spanMs).length));
}

describe("T27: Telegram's pace", () => {
  test("lets a first message go at once", () => {
    expect(createPace().take(chat(1))).toBe(0);
  });

  test("lets a short burst into a private chat, then one a second", () => {
    const [first = 0, ...others] = createPace().send(() => chat(1), 8);
    expect(others.map((at) => at - first)).toEqual([0, 0, 1000, 2000, 3000, 4000, 5000]);
  });

  it.each([["group"], ["channel"]] as const)("keeps a %s at one a second and twenty a minute", (kind) => {
    const times = createPace().send(() => chat(-1, kind), 120);
    expect(countMost(times, 1_000)).toBe(1);
    expect(countMost(times, 60_000)).toBeLessThanOrEqual(20);
    expect(countMost(times, 60_000)).toBeGreaterThan(15);
  });

  test("counts a group's topics as one chat", () => {
    const times = createPace().send((index) => chat(-1, "group", String(index)), 40);
    expect(countMost(times, 60_000)).toBeLessThanOrEqual(20);
    expect(countMost(times, 60_000)).toBeGreaterThan(15);
  });

  test("keeps an account at thirty a second over all chats", () => {
    const times = createPace().send((index) => chat(index), 300);
    expect(countMost(times, 1_000)).toBeLessThanOrEqual(30);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(13_000);
  });

  test("takes nothing where it says to wait, and says how long exactly", () => {
    const pace = createPace();
    pace.send(() => chat(1), 3);
    expect([pace.take(chat(1)), pace.take(chat(1)), pace.take(chat(2))]).toEqual([1000, 1000, 0]);
    pace.advance(999);
    expect(pace.take(chat(1))).toBe(1);
    pace.advance(1);
    expect(pace.take(chat(1))).toBe(0);
  });

  test("is back to a whole burst after a rest", () => {
    const pace = createPace();
    pace.send(() => chat(1), 10);
    pace.advance(60_000);
    expect([1, 2, 3, 4].map(() => pace.take(chat(1)))).toEqual([0, 0, 0, 1000]);
  });

  test("remembers no more chats than it wrote to just now, also beside one that never rests", () => {
    const pace = createPace();
    for (let index = 0; index < 300; index += 1) {
      pace.send((at) => chat(at === 0 ? -1 : -1000 - index * 10 - at, "group"), 10);
      expect(pace.countChats()).toBeLessThanOrEqual(501);
    }
  });

  test("holds in whatever order and at whatever times messages come", () => {
    const step = fc.record({
      id: fc.integer({ min: 1, max: 4 }),
      restMs: fc.nat({ max: 3_000 }),
      isGroup: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const pace = createPace();
        const sent = steps.flatMap(({ id, restMs, isGroup }) => {
          pace.advance(restMs);
          const address = chat(id, isGroup ? "group" : "dm");
          return pace.send(() => address, 1).map((at) => ({ at, address, isGroup }));
        });
        for (const address of new Set(sent.map((one) => one.address))) {
          const own = sent.filter((one) => one.address === address);
          const times = own.map(({ at }) => at);
          expect(countMost(times, 1_000)).toBeLessThanOrEqual(own[0]?.isGroup ? 1 : 3);
          if (own[0]?.isGroup) expect(countMost(times, 60_000)).toBeLessThanOrEqual(20);
        }
      }),
    );
  });
});
