import { expect, it } from "vitest";
import { inTime, LATE } from "../../src/ports/in-time.ts";
import { ManualClock } from "../manual-clock.ts";

const never = new Promise<string>(() => undefined);

it("gives the work's own end, whichever it is, and leaves no timer", async () => {
  const clock = new ManualClock();
  expect(await inTime(Promise.resolve("done"), 1_000, clock)).toBe("done");
  await expect(inTime(Promise.reject(new Error("own")), 1_000, clock)).rejects.toThrow("own");
  expect(clock.waiting).toBe(0);
});

it("is late once the time is over, not before", async () => {
  const clock = new ManualClock();
  let end: unknown = "under way";
  void inTime(never, 1_000, clock).then((found) => {
    end = found;
  });
  await clock.advance(999);
  expect(end).toBe("under way");
  await clock.advance(1);
  expect(end).toBe(LATE);
});

it("is late when the signal aborts, also where that was before, and leaves no timer", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const end = inTime(never, 1_000, clock, controller.signal);
  controller.abort();
  expect(await end).toBe(LATE);
  expect(await inTime(never, 1_000, clock, controller.signal)).toBe(LATE);
  expect(clock.waiting).toBe(0);
});
