import { expect, test } from "vitest";
import { buildRangeReport, formatRangeReport, isGood } from "./range-report.ts";

const BROKEN = { seed: 7, invariant: "I2", sentence: "a run ends twice" };
/** A machine that is half as fast as the one where the bar was set. */
const SLOW = { bareNodeMs: 52, fsyncMs: 1, startScale: 2 };

function play({ seconds = 44, seeds = 5_000, broken = [] }: Partial<Record<"seconds" | "seeds", number>> & Broken) {
  return { seeds, durationMs: seconds * 1_000, broken };
}

interface Broken {
  readonly broken?: readonly (typeof BROKEN)[];
}

test.each([
  ["two minutes on the machine where it was set", 120, 1, true],
  ["more than two minutes there", 120.1, 1, false],
  ["four minutes on one that is half as fast", 240, 2, true],
  ["two minutes on one that is twice as fast", 120, 0.5, false],
] as const)("5,000 worlds may take two minutes: %s", (_what, seconds, startScale, isMet) => {
  const calibration = { bareNodeMs: 26 * startScale, fsyncMs: 1, startScale };
  const report = buildRangeReport(play({ seconds }), { events: 60, cpuMs: 1, calibration });
  expect(report.bar).toMatchObject({ measured: seconds, limit: 120 * startScale, isMet });
  expect(isGood(report)).toBe(isMet);
});

test("worlds that were not played meet no bar", () => {
  const report = buildRangeReport(play({ seeds: 4_999 }), { events: 60, cpuMs: 1, calibration: SLOW });
  expect(report.bar?.isMet).toBe(false);
});

test("without the bar only what is broken counts", () => {
  expect(isGood(buildRangeReport(play({ seconds: 9_999 }), { events: 60, cpuMs: 1 }))).toBe(true);
  expect(isGood(buildRangeReport(play({ broken: [BROKEN] }), { events: 60, cpuMs: 1 }))).toBe(false);
  const report = buildRangeReport(play({ broken: [BROKEN] }), { events: 60, cpuMs: 1, calibration: SLOW });
  expect(isGood(report)).toBe(false);
});

test("it says worlds, seconds, CPU a world and what is broken", () => {
  const told = buildRangeReport(play({ broken: [BROKEN] }), { events: 60, cpuMs: 85_000, calibration: SLOW });
  expect(formatRangeReport(told).split("\n")).toEqual([
    "5000 worlds of 60 events in 44.0 s, 114 a second, 17.0 ms CPU a world; broken: 7 (I2)",
    expect.stringMatching(
      /simulation: 5000 worlds +44\.00 s +≤ 240\.00 s +met +17\.0 ms CPU a world; bare node 52\.0 ms/,
    ),
  ]);
});
