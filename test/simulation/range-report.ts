import { type Bar, formatBars, isMet } from "../bench/bar.ts";
import type { Calibration } from "../bench/calibration.ts";
import type { RangeEnd } from "./run-seeds.ts";

/** The bar is of so many worlds, as `pnpm test:long` plays them. */
export const BAR_WORLDS = 5_000;
const BAR_SECONDS = 120;

export interface RangeReport {
  readonly worlds: number;
  /** In each world. */
  readonly events: number;
  readonly seconds: number;
  /** Of all threads. */
  readonly cpuMsPerWorld: number;
  readonly broken: RangeEnd["broken"];
  /** Only where it was asked for. */
  readonly bar?: Bar & { readonly isMet: boolean };
}

export interface Measured {
  readonly events: number;
  readonly cpuMs: number;
  /** Given: it is held against the bar, scaled by what the machine does today. */
  readonly calibration?: Calibration | undefined;
}

/** What many worlds took, and whether that was within the bar. Pure. */
export function buildRangeReport(end: RangeEnd, { events, cpuMs, calibration }: Measured): RangeReport {
  const seconds = end.durationMs / 1_000;
  const cpuMsPerWorld = cpuMs / Math.max(1, end.seeds);
  const report = { worlds: end.seeds, events, seconds, cpuMsPerWorld, broken: end.broken };
  if (calibration === undefined) return report;
  const bar: Bar = {
    name: `simulation: ${BAR_WORLDS} worlds`,
    measured: seconds,
    limit: BAR_SECONDS * calibration.startScale,
    side: "at most",
    unit: "s",
    detail: `${cpuMsPerWorld.toFixed(1)} ms CPU a world; bare node ${calibration.bareNodeMs.toFixed(1)} ms`,
  };
  return { ...report, bar: { ...bar, isMet: end.seeds === BAR_WORLDS && isMet(bar) } };
}

/** Nothing is broken, and the bar was met where it was asked for. */
export function isGood({ broken, bar }: RangeReport): boolean {
  return broken.length === 0 && bar?.isMet !== false;
}

export function formatRangeReport({ worlds, events, seconds, cpuMsPerWorld, broken, bar }: RangeReport): string {
  const rest = broken.map(({ seed, invariant }) => `${seed} (${invariant})`).join(", ");
  const line = [
    `${worlds} worlds of ${events} events in ${seconds.toFixed(1)} s`,
    `${Math.round(worlds / Math.max(seconds, 0.001))} a second`,
    `${cpuMsPerWorld.toFixed(1)} ms CPU a world`,
  ].join(", ");
  return `${line}; broken: ${rest || "none"}${bar === undefined ? "" : `\n${formatBars([bar])}`}`;
}
