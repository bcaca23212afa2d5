import { expect, it } from "vitest";
import { createDeadlines } from "../../src/ports/deadlines.ts";
import { ManualClock } from "../manual-clock.ts";

const late = () => new Error("late");

it("gives a promise's own end, whichever it is", async () => {
  const clock = new ManualClock();
  const deadlines = createDeadlines(clock, 1_000);
  expect(await deadlines.within(Promise.resolve("done"), late)).toBe("done");
  await expect(deadlines.within(Promise.reject(new Error("own")), late)).rejects.toThrow("own");
});

it("rejects what takes longer, never early and at most a quarter late", async () => {
  const clock = new ManualClock();
  const deadlines = createDeadlines(clock, 1_000);
  const ends: string[] = [];
  for (const startMs of [0, 90, 260, 410]) {
    await clock.advance(startMs - clock.monotonic());
    deadlines
      .within(new Promise(() => undefined), late)
      .catch(() => ends.push(`${startMs} after ${clock.monotonic() - startMs}`));
  }
  await clock.advance(999 - clock.monotonic());
  expect(ends).toEqual([]);
  await clock.advance(2_000);
  expect(ends).toHaveLength(4);
  for (const end of ends) {
    const afterMs = Number(end.split(" ").at(-1));
    expect(afterMs).toBeGreaterThanOrEqual(1_000);
    expect(afterMs).toBeLessThanOrEqual(1_250);
  }
});

it("measures time that passes, not the clock on the wall", async () => {
  const clock = new ManualClock();
  const deadlines = createDeadlines(clock, 1_000);
  const gate = Promise.withResolvers<string>();
  const end = deadlines.within(gate.promise, late);
  clock.jump(1_000_000);
  await clock.advance(900);
  gate.resolve("in time");
  expect(await end).toBe("in time");
});

it("holds one timer for any number of waits, and none when all have ended", async () => {
  const clock = new ManualClock();
  const deadlines = createDeadlines(clock, 1_000);
  const gate = Promise.withResolvers<void>();
  const ends = Array.from({ length: 1_000 }, () => deadlines.within(gate.promise, late));
  expect(clock.waiting).toBe(1);
  gate.resolve();
  await Promise.all(ends);
  await clock.advance(250);
  expect(clock.waiting).toBe(0);
  const again = deadlines.within(new Promise(() => undefined), late).catch(() => "late");
  await clock.advance(1_000);
  expect(await again).toBe("late");
});
