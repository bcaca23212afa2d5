import { isSuspect } from "@banyan/store";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Invariant } from "./invariant.ts";
import { listClaims } from "./lane-order.ts";
import { listLaneMoves } from "./written.ts";

/** A lane that could not be claimed is tried again after half a minute; a suspended process sleeps for ten seconds. */
const PATIENCE_MS = 120_000;
/** One turn that was begun already, and one of its own share. */
const MOST_BEFORE = 2;

interface Wait {
  readonly sinceMs: number;
  /** How often each of the others was served meanwhile. */
  readonly served: Map<string, number>;
}

/**
 * I23: a lane that could be served is, and no other one is served more than twice its share meanwhile. Faults of the
 * store, and a start, put it off.
 */
export function createFairness(): Invariant {
  const waits = new Map<string, Wait>();
  /** Left by a move, or served by a process that had slept: what runs there here has yet to notice. */
  const disturbed = new Set<string>();
  /** Moved ones wait until what ran under their old key has stopped, and an agent may take its time. */
  const excused = new Set<string>();
  let upSinceMs = 0;
  return {
    name: "I23",
    observe(seen, grounds) {
      const { data, clock } = grounds;
      if (seen.type === "started") upSinceMs = clock.monotonic();
      if (seen.type !== "step") return undefined;
      // A process that starts takes up the lanes anew, the oldest first.
      if (seen.step.step === "recover") {
        upSinceMs = clock.monotonic();
        waits.clear();
        excused.clear();
        disturbed.clear();
      }
      if (waits.size > 0) {
        const ready = new Set([...data.readyLanes].map(({ lane }) => lane));
        for (const lane of waits.keys()) if (!ready.has(lane)) waits.delete(lane);
        for (const lane of excused) if (!ready.has(lane)) excused.delete(lane);
      }
      if (seen.result.status === "done")
        for (const { from, to } of listLaneMoves(seen.step)) {
          disturbed.add(from);
          excused.add(to);
        }
      if (!seen.process.isLeader && "lane" in seen.step) disturbed.add(seen.step.lane);
      const claimed = seen.process.isLeader ? listClaims(seen) : [];
      for (const { lane, queue } of data.readyLanes) {
        const wait = waits.get(lane) ?? { sinceMs: clock.monotonic(), served: new Map<string, number>() };
        // What a process left that had slept through its successor's start is taken up by the next start.
        if (!waits.has(lane) && !seen.process.isLeader) excused.add(lane);
        waits.set(lane, wait);
        const waitedMs = clock.monotonic() - Math.max(wait.sinceMs, upSinceMs, grounds.lastTroubleMs);
        // Sub-agents have few places, and who holds one may hang.
        if (waitedMs > PATIENCE_MS && !isChild(lane))
          return `${lane} is ready for ${Math.round(waitedMs)} ms and nobody serves it`;
        for (const other of claimed) {
          if (isChild(lane) !== isChild(other.lane)) continue;
          const count = (wait.served.get(other.lane) ?? 0) + 1;
          wait.served.set(other.lane, count);
          const isFair =
            count <= MOST_BEFORE ||
            excused.has(lane) ||
            disturbed.has(lane) ||
            isNextSuspect(queue, data) ||
            wait.sinceMs <= Math.max(upSinceMs, grounds.lastTroubleMs);
          if (!isFair) return `${lane} waits while ${other.lane} is served ${count} times`;
        }
      }
      return undefined;
    },
  };
}

/** It waits until no other suspect runs, a minute at most. */
function isNextSuspect([next]: readonly number[], { items }: StoreMirror): boolean {
  return next !== undefined && isSuspect(items.get(next)?.row ?? {});
}

/** Sub-agents take turns among themselves. */
function isChild(lane: string): boolean {
  return lane.includes(":subagent:");
}
