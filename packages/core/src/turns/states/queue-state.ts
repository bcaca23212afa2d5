/**
 * How a conversation's turn, what waits behind it and the runs of sub-agents stand, told from what is stored; kept nowhere
 * as such. Pure.
 */
import type { SessionEntry } from "@banyan/plugin-sdk";
import { type ItemRow, isSuspect, type RunRow } from "@banyan/store";

/**
 * `steering`: it was handed what came meanwhile. `blocked`: a person is asked. `waiting_for_collect`: it waits for its
 * sub-agents, or has ended while they work. `interrupted`: a newer message has cut it off, and none has begun since.
 */
export type TurnState = "executing" | "steering" | "blocked" | "waiting_for_collect" | "interrupted";

/** Of turns that were cut off: their state is stored, or the turn at work started from it. */
export type CutState = "state_saved" | "recovery_mode";

/** `prioritized`: somebody has said how urgent it is. `dispatched`: a turn has begun with it, or was handed it. */
export type BacklogState = "queued" | "prioritized" | "dispatched";

/** Of a sub-agent's run. */
export type WorkState = "queued" | "executing" | "blocked" | "waiting_for_collect" | "completed";

export interface QueueFacts {
  readonly entry: Pick<SessionEntry, "interruption">;
  /** By `seq`; commands may be among them. */
  readonly open: readonly ItemRow[];
  /** Runs that the conversation has asked for and whose results wake it have not ended. */
  readonly hasOpenRuns: boolean;
  /** The turn at work has asked somebody who has not answered. */
  readonly isAsking: boolean;
  readonly live?: LiveFacts;
}

/** What only the gateway that runs the turn knows. */
export interface LiveFacts {
  /** What waits in the store and was handed to the turn at work, as the agent has confirmed. */
  readonly heardSeqs: readonly number[];
  /** It waits for something of its own. */
  readonly isWaiting: boolean;
}

export interface QueueState {
  /** Absent: no turn is at work, and nothing is waited for. */
  readonly turn?: TurnState;
  readonly cut?: CutState;
  /**
   * The turn at work, or the next one, is a suspect: it was active at two or more deaths of the process in a row. It runs
   * with no other suspect at the same time.
   */
  readonly isSuspect?: true;
  /** In the order in which they came. */
  readonly backlog: readonly BacklogItem[];
}

export interface BacklogItem {
  readonly seq: number;
  readonly kind: ItemRow["kind"];
  readonly state: BacklogState;
  /** Absent: nobody has set one. */
  readonly priority?: number;
}

export function decideQueueState(facts: QueueFacts): QueueState {
  const items = facts.open.filter(({ kind }) => kind !== "command");
  const isActive = items.some(({ state }) => state === "active");
  const turn = isActive ? decideActiveState(facts) : decideRestState(facts);
  const cut = facts.entry.interruption === undefined ? undefined : isActive ? "recovery_mode" : "state_saved";
  const heard = new Set(isActive ? facts.live?.heardSeqs : []);
  return {
    ...(turn === undefined ? {} : { turn }),
    ...(cut === undefined ? {} : { cut }),
    ...(items.some(isSuspect) ? { isSuspect: true } : {}),
    backlog: items.map((item) => decideItem(item, heard)),
  };
}

function decideActiveState({ isAsking, hasOpenRuns, live }: QueueFacts): TurnState {
  if (isAsking) return "blocked";
  if (live?.isWaiting && hasOpenRuns) return "waiting_for_collect";
  return live !== undefined && live.heardSeqs.length > 0 ? "steering" : "executing";
}

function decideRestState({ entry, hasOpenRuns }: QueueFacts): TurnState | undefined {
  if (entry.interruption !== undefined) return "interrupted";
  return hasOpenRuns ? "waiting_for_collect" : undefined;
}

function decideItem({ seq, kind, state, priority }: ItemRow, heard: ReadonlySet<number>): BacklogItem {
  const isDispatched = state === "active" || heard.has(seq);
  return {
    seq,
    kind,
    state: isDispatched ? "dispatched" : priority === undefined ? "queued" : "prioritized",
    ...(priority === undefined ? {} : { priority }),
  };
}

/** `turn`: of the session that works on it. */
export function decideWorkState({ state }: Pick<RunRow, "state">, turn?: TurnState): WorkState {
  if (state === "ended") return "completed";
  if (state === "waiting") return "waiting_for_collect";
  if (state !== "running") return "queued";
  return turn === "blocked" || turn === "waiting_for_collect" ? turn : "executing";
}
