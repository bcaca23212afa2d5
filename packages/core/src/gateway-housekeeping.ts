import type { Store } from "@banyan/store";
import type { RunLimits } from "./config/shapes/limits-config.ts";
import type { OutgoingFiles } from "./outbound/outgoing-files.ts";
import { commitStep } from "./ports/commit-step.ts";
import type { Ports } from "./ports/ports.ts";
import { watchWallClock } from "./ports/watch-wall-clock.ts";

/** Out of the way of a start, and yet in time where nobody lets the gateway run for an hour. */
const FIRST_PRUNE_MS = 60_000;
const PRUNE_EVERY_MS = 60 * 60_000;
/** As long as a message that the platform sends again is still known. */
const KEEP_SETTLED_MS = 30 * 24 * 60 * 60_000;
/** Longer than the deliveries that name them. */
const KEEP_FILES_MS = KEEP_SETTLED_MS + 5 * 24 * 60 * 60_000;
/** Of each kind in one step, so that no other step waits long behind it. */
const PRUNE_ROWS = 10_000;

/** How far the wall clock may leave the monotonic one between two looks: people and time servers set it a little. */
const SET_BY_AT_MOST_MS = 5 * 60_000;

/**
 * Removes settled items and deliveries, the records of old runs and old lines of the audit, that nothing asks for any more: a
 * minute after the start, then every hour, each time until none is left; old files behind them, for which no row waits. A wall clock that has jumped is not believed before it has run on
 * evenly until the next time: else one wrong hour would make all that is remembered look old. The disposer ends it.
 */
export function startHousekeeping(
  store: Store,
  ports: Pick<Ports, "clock" | "log">,
  { runRetentionMs, auditRetentionMs }: Pick<RunLimits, "runRetentionMs" | "auditRetentionMs">,
  files?: Pick<OutgoingFiles, "prune">,
): () => void {
  const step = {
    step: "prune",
    olderThanMs: KEEP_SETTLED_MS,
    runsOlderThanMs: runRetentionMs,
    auditOlderThanMs: auditRetentionMs,
    limit: PRUNE_ROWS,
  } as const;
  let isEnded = false;
  let cancel = (): void => undefined;
  const isEven = watchWallClock(ports, SET_BY_AT_MOST_MS);
  const pruneRows = async () => {
    let removed = 0;
    try {
      for (let isFull = true; isFull && !isEnded; ) {
        const pruned = await commitStep(store, step);
        removed += pruned.removed;
        isFull = pruned.removed >= PRUNE_ROWS;
      }
    } catch (error) {
      ports.log.error({ err: error }, "settled rows could not be removed");
    }
    if (removed > 0) ports.log.info({ removed }, "settled rows were removed");
  };
  let isBusyWithFiles = false;
  const pruneFiles = async () => {
    if (files === undefined || isBusyWithFiles) return;
    isBusyWithFiles = true;
    try {
      await files.prune(KEEP_FILES_MS);
    } catch (error) {
      ports.log.error({ err: error }, "old files could not be removed");
    } finally {
      isBusyWithFiles = false;
    }
  };
  const pruneAll = async () => {
    if (!isEven()) {
      ports.log.warn({}, "the machine's clock has jumped; nothing old is removed before it has run evenly for an hour");
      return;
    }
    await pruneRows();
    if (!isEnded) void pruneFiles();
  };
  const arm = (delayMs: number) => {
    cancel = ports.clock.schedule(delayMs, () => {
      void pruneAll().then(() => {
        if (!isEnded) arm(PRUNE_EVERY_MS);
      });
    });
  };
  arm(FIRST_PRUNE_MS);
  return () => {
    isEnded = true;
    cancel();
  };
}
