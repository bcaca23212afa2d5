import type { Log } from "@banyan/plugin-sdk";

/** One message may have been under way for long; more in a row may also mean that this machine's clock is wrong. */
const SUSPICIOUS_IN_A_ROW = 2;

/** Sees to it that a wrong clock does not leave every message out in silence. */
export interface LateWatch {
  /**
   * Told of each message that came in: whether it was left out as too old. `seq`: of its item in the store. One that the
   * platform delivers again has its first item's, and does not count.
   */
  see(message: { readonly at: number; readonly seq: number; readonly isTooOld: boolean }, now: number): void;
}

export function createLateWatch(log: Log): LateWatch {
  let inARow = 0;
  let newestSeq = Number.NEGATIVE_INFINITY;
  return {
    see({ at, seq, isTooOld }, now) {
      if (seq <= newestSeq) return;
      newestSeq = seq;
      inARow = isTooOld ? inARow + 1 : 0;
      if (inARow !== SUSPICIOUS_IN_A_ROW) return;
      const fields = { clock: formatTime(now), message: formatTime(at) };
      log.warn(fields, "messages in a row are older than catchUpHours and left out: is this machine's clock right?");
    },
  };
}

function formatTime(ms: number): string {
  const time = new Date(ms);
  return Number.isNaN(time.valueOf()) ? String(ms) : time.toISOString();
}
