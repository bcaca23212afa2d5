import type { Observation } from "../world/observation.ts";
import type { Grounds, Invariant } from "./invariant.ts";

/** Durations are fractions of a millisecond, the store's times are whole ones. */
const ROUNDING_MS = 2;

interface Due {
  readonly atMs: number;
  readonly process: number;
  readonly jumps: number;
}

type Stepped = Extract<Observation, { readonly type: "step" }>;

/** I18: what is to be tried again is not tried before its time. A wall clock that was set excuses another process. */
export function createRetryTimes(): Invariant {
  const due = new Map<string, Due>();
  return {
    name: "I18",
    observe(seen, { clock, data }) {
      if (seen.type !== "step") return undefined;
      const { step, result, process } = seen;
      // What a process does that the platforms no longer talk with is fenced, and not timed.
      if (!process.isLeader && (step.step === "settle" || step.step === "attempt")) due.delete(step.id);
      if (!process.isLeader) return undefined;
      // What moves is read anew from the store, whose times are the wall clock's: those of its writing as well.
      if (step.step === "migrate_chat") for (const [id, time] of due) due.set(id, { ...time, process: 0, jumps: 0 });
      // What was given back waits for somebody else: for the platform (I22), or for the part before it.
      const isRetry = step.step === "settle" && "retryInMs" in step.outcome && step.outcome.giveBackAttempt !== true;
      if (isRetry && result.status === "done" && "retryInMs" in step.outcome) {
        const atMs = clock.monotonic() + step.outcome.retryInMs;
        due.set(step.id, { atMs, process: process.number, jumps: clock.jumps });
      }
      if (step.step !== "attempt" || result.status !== "done") return undefined;
      const time = due.get(step.id);
      // A row that was written in what is now the future waits no longer than its own times are apart.
      const isAhead = (data.deliveries.get(step.id)?.row.createdAtMs ?? 0) > clock.now();
      const isExcused = time?.process !== process.number && (time?.jumps !== clock.jumps || isAhead);
      if (time === undefined || isExcused || clock.monotonic() >= time.atMs - ROUNDING_MS) return undefined;
      return `${step.id} is tried again ${Math.round(time.atMs - clock.monotonic())} ms before its time`;
    },
  };
}

/** I22: nobody asks before the platform's time, and such a wait uses up no attempt. */
export function createRateLimits(): Invariant {
  const limits = new Map<string, number>();
  const limitedRows = new Map<string, number>();
  return {
    name: "I22",
    observe(seen, grounds) {
      if (seen.type === "limited") {
        const { process, row, account, chat, untilMs } = seen;
        limits.set(`${process.number} ${account} ${chat ?? ""}`, untilMs);
        limitedRows.set(row, process.number);
      }
      if (seen.type === "step") return judgeBudget(seen, limitedRows, grounds);
      if (seen.type !== "request") return undefined;
      const { process, account, chat, row } = seen;
      for (const scope of [chat, ""]) {
        const untilMs = limits.get(`${process.number} ${account} ${scope}`) ?? 0;
        const earlyMs = Math.round(untilMs - grounds.clock.monotonic());
        if (earlyMs > ROUNDING_MS) return `${row} is sent ${earlyMs} ms before ${account} said`;
      }
      return undefined;
    },
  };
}

function judgeBudget({ step, result, process }: Stepped, limitedRows: Map<string, number>, { data }: Grounds) {
  if (step.step !== "settle" || limitedRows.get(step.id) !== process.number) return undefined;
  limitedRows.delete(step.id);
  if (result.status !== "done") return undefined;
  const attempts = data.deliveries.get(step.id)?.row.attempts;
  return attempts === step.attempt - 1 ? undefined : `${step.id} was told to wait, and that counts as an attempt`;
}
