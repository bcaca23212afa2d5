import type { LaneRow, RunState } from "@banyan/store";
import { readUnfinishedChildren } from "../../runs/read-runs-below.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";

/** As far as it is known without a state of its own: `active` while a turn runs. */
export type SessionState = "active" | "waiting" | "idle" | "error";

export interface SessionStateFacts {
  readonly state: SessionState;
  readonly lane: LaneRow;
  /** Unfinished runs that it has asked for. */
  readonly children: Readonly<Partial<Record<RunState, number>>>;
}

/** `waiting`: no turn runs, and the end of a sub-agent will bring the next one. `error`: its latest run has failed. */
function decideSessionState(facts: {
  readonly isRunning: boolean;
  readonly unfinishedChildren: number;
  readonly status: SessionRecord["entry"]["status"];
}): SessionState {
  if (facts.isRunning) return "active";
  if (facts.unfinishedChildren > 0) return "waiting";
  return facts.status === "failed" || facts.status === "timeout" ? "error" : "idle";
}

export async function readSessionState(
  { key, entry }: SessionRecord,
  { store }: Pick<SubagentParts, "store">,
): Promise<SessionStateFacts> {
  const [lane, unfinished] = await Promise.all([store.read.lane(key), readUnfinishedChildren(key, store.read)]);
  const children: Partial<Record<RunState, number>> = {};
  for (const { state } of unfinished) children[state] = (children[state] ?? 0) + 1;
  const { status } = entry;
  const isRunning = lane.owner !== undefined;
  return { lane, children, state: decideSessionState({ isRunning, unfinishedChildren: unfinished.length, status }) };
}
