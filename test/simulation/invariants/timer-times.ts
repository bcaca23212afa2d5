import type { Step, TimerRow } from "@banyan/store";
import type { Invariant } from "./invariant.ts";

/** The store's times are whole milliseconds. */
const ROUNDING_MS = 2;

interface Arming {
  readonly row: TimerRow;
  /** On the clock of durations. */
  readonly dueAtMs: number;
  readonly jumps: number;
}

/** I18: what is armed fires once, and not before its time. A wall clock that was set excuses what is early. */
export function createTimerTimes(): Invariant {
  const armed = new Map<string, Arming>();
  return {
    name: "I18",
    observe(seen, { data, clock }) {
      if (seen.type !== "step") return undefined;
      const fired = findFired(seen.step);
      if (fired !== undefined && seen.result.status === "done") {
        const arming = armed.get(fired.id);
        // One that went by another way leaves nothing to do.
        const isKnown = arming?.row.dueAtMs === fired.dueAtMs;
        if (!isKnown && seen.step.step !== "set_timers") return `${fired.id} fires a second time`;
        const earlyMs = (arming?.dueAtMs ?? 0) - clock.monotonic();
        if (isKnown && arming.jumps === clock.jumps && earlyMs > ROUNDING_MS)
          return `${fired.id} fires ${Math.round(earlyMs)} ms before its time`;
      }
      const { timers } = data.runs;
      for (const id of armed.keys()) if (!timers.has(id)) armed.delete(id);
      for (const row of timers.values()) {
        if (armed.get(row.id)?.row === row) continue;
        const dueAtMs = clock.monotonic() + row.dueAtMs - row.armedAtMs;
        armed.set(row.id, { row, dueAtMs, jumps: clock.jumps });
      }
      return undefined;
    },
  };
}

function findFired(step: Step): { readonly id: string; readonly dueAtMs: number } | undefined {
  if (step.step === "set_timers") return step.fired;
  return "timer" in step ? step.timer : undefined;
}
