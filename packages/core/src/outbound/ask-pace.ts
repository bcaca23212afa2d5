import { isAddress, type Log, type PaceAbility } from "@banyan/plugin-sdk";

/** However long a platform's pace is, it is asked again after this. */
const LONGEST_PACE_MS = 60_000;
/** A shorter wait would be a busy one. */
const SHORTEST_PACE_MS = 1;

/**
 * The milliseconds after which to ask again; 0: the place is taken, send now. A plugin without a pace, or with one that
 * breaks its contract, keeps nobody waiting: the platform itself still says when it is too much.
 */
export function askPace(pace: PaceAbility | undefined, address: string, log: Log): number {
  if (pace === undefined || !isAddress(address)) return 0;
  try {
    const waitMs = pace.take(address);
    return waitMs > 0 ? Math.min(Math.max(waitMs, SHORTEST_PACE_MS), LONGEST_PACE_MS) : 0;
  } catch (error) {
    log.warn({ err: error, address }, "a plugin's pace could not be asked; the message goes without it");
    return 0;
  }
}
