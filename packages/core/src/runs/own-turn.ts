/** The turn that a sub-agent's session has beside its runs, such as an answer to people in its thread. */
import type { LaneRow, StoreReads, TurnClaim, TurnStop } from "@banyan/plugin-sdk/store";
import { commitPatiently } from "../ports/commit-step.ts";
import { countHalted } from "./count-halted.ts";
import type { RunParts, StoppedTurn } from "./run-parts.ts";
import { giveTurnsBack, type StoppedLane } from "./stopped-lane.ts";

const OPEN_ITEMS = 1_000;

/** A turn that was stopped here; whoever asked for it ends it in the store, or gives it back. */
export interface HaltedTurn {
  readonly stop: TurnStop & { readonly lane: string };
  readonly stopped: readonly StoppedLane[];
  /** What it had used, for `countHalted` once it is ended. */
  readonly turn: StoppedTurn;
  /** What stands behind it in its lane. */
  readonly waiting: number;
}

/** The lane, where a turn runs that works for no run. Another one is stopped with its run. */
async function findOwnTurn(
  sessionKey: string,
  read: Pick<StoreReads, "lane" | "openItems">,
): Promise<LaneRow | undefined> {
  const lane = await read.lane(sessionKey);
  if (lane.active.length === 0) return undefined;
  const open = await read.openItems({ lane: sessionKey, limit: OPEN_ITEMS });
  return open.some(({ state, runId }) => state === "active" && runId === undefined) ? lane : undefined;
}

/** Stops it without ending it in the store. */
export async function haltOwnTurn(sessionKey: string, { store, stopTurn }: RunParts): Promise<HaltedTurn | undefined> {
  const lane = await findOwnTurn(sessionKey, store.read);
  const halted = lane === undefined ? undefined : await stopTurn(sessionKey, true);
  if (lane === undefined || halted === undefined) return undefined;
  const { sessionId, entries, taken } = halted;
  // Another turn than the one that was looked at, or one that somebody else has by now: the older epoch fences it off.
  const epoch = Math.min(halted.epoch, lane.epoch);
  return {
    stop: { lane: sessionKey, epoch, sessionId, entries, taken },
    stopped: [{ lane: sessionKey, epoch: halted.epoch }],
    turn: halted,
    waiting: lane.waiting,
  };
}

/**
 * Stops it and ends it in a step of its own; what it has said stays in the transcript. `none`: it has come to its end by
 * then. `fenced`: another process runs the turn that asks. What it still sends is refused as a lost lane's, so nobody hears
 * half of it.
 */
export async function endOwnTurn(
  sessionKey: string,
  parts: RunParts,
  askedBy?: TurnClaim,
): Promise<"done" | "none" | "fenced"> {
  const { store, ports, signal, wakeLanes, wakeTimers } = parts;
  const halted = await haltOwnTurn(sessionKey, parts);
  if (halted === undefined) return "none";
  let end: "done" | "none" | "fenced" = "none";
  try {
    const step = { step: "end_runs", ends: [], closed: [], stop: halted.stop, ...(askedBy && { askedBy }) } as const;
    ports.faultPoint("stop.before");
    const { status } = await commitPatiently(store, step, ports, signal);
    if (status === "done" || status === "fenced") end = status;
    ports.faultPoint("stop.after");
  } finally {
    if (end !== "done") await giveTurnsBack(halted.stopped, parts);
  }
  if (end === "done") await countHalted(sessionKey, halted.turn, parts);
  wakeLanes([sessionKey]);
  // What it had asked somebody is withdrawn.
  wakeTimers();
  return end;
}
