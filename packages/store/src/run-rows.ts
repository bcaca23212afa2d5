/** What a store keeps of runs, timers and bindings. As in `rows.ts`, a driver parses no body. */

/**
 * A run's life. A claim of an item with its `runId` and the wake `turn` makes it `running`; that stays when the turn is
 * cut off and waits to run again. `reserved`: what is to be opened is on record, nothing runs. `accepted`: it waits for
 * its first turn. `waiting`: its turn is over, its own children are not. `ended` is final.
 */
export type RunState = "reserved" | "accepted" | "running" | "waiting" | "ended";

/** Every legal change of a run's state; a driver makes no other. */
export const RUN_TRANSITIONS: Readonly<Record<RunState, readonly RunState[]>> = {
  reserved: ["accepted", "ended"],
  accepted: ["running", "ended"],
  running: ["waiting", "ended"],
  waiting: ["running", "ended"],
  ended: [],
};

export function isRunTransition(from: RunState, to: RunState): boolean {
  return RUN_TRANSITIONS[from].includes(to);
}

export type RunEndReason =
  | "complete"
  | "error"
  | "timeout"
  | "killed"
  | "session-reset"
  | "session-delete"
  | "interrupted"
  | "spawn-failed";

/** Who tells the chat of a run's end: set once. `nobody`: not announced in the chat. */
export type RunSpeaker = "host" | "parent" | "nobody";

/** What of a run never changes, but for keys and addresses that move with a `rekey` or a `migrate_chat`. */
export interface RunIdentity {
  readonly runId: string;
  /** What never spawns twice, such as a call of a turn; unique among runs that were not undone. */
  readonly dedupe: string;
  readonly childSessionKey: string;
  /** Who gets the completion. */
  readonly requesterSessionKey: string;
  /** The session at the top of the tree. */
  readonly rootSessionKey: string;
  /**
   * The requester's own run, in whose turn this one was asked for. It does not end before this one when it is awaited.
   */
  readonly parentRunId?: string;
  /** The lane item whose turn or command asked for it; runs with the same one are siblings. */
  readonly spawnSeq?: number;
  /** Its completion wakes the requester, so the requester's run waits for it. */
  readonly isAwaited: boolean;
  /** The address of the chat that asked; frozen when the run was reserved. */
  readonly route: string;
  /** A `RunBody`; holds neither keys nor addresses that can move. */
  readonly body: string;
}

/** One execution of a sub-agent. */
export interface RunRow extends RunIdentity {
  readonly state: RunState;
  readonly createdAtMs: number;
  /** Of the latest change of state. */
  readonly changedAtMs: number;
  /** Of its first turn. */
  readonly startedAtMs?: number;
  readonly endedAtMs?: number;
  readonly endedReason?: RunEndReason;
  /** A `Completion`, frozen when the run ended. */
  readonly result?: string;
  /** Where the chat is told, decided when the run ended. */
  readonly target?: string;
  /** The session whose lane got the completion: the requester or its nearest living ancestor. Absent: none lived. */
  readonly toldSessionKey?: string;
  readonly settledBy?: RunSpeaker;
  /** The run whose deliveries tell of this one as well. Absent: its own do, if any. */
  readonly toldWithRunId?: string;
  readonly archivedAtMs?: number;
}

/** Something that is due once. It outlives the process. */
export interface TimerRow {
  /** Arming an id again takes the place of the earlier one. */
  readonly id: string;
  /** What is done then; the driver does not read it. */
  readonly kind: string;
  /** The run or binding that it is about. */
  readonly subject: string;
  readonly armedAtMs: number;
  readonly dueAtMs: number;
  /** The item whose turn it waits for. */
  readonly itemSeq?: number;
}

/** A place whose messages go to a child session. One per address. */
export interface BindingRow {
  readonly id: string;
  readonly address: string;
  readonly sessionKey: string;
  /** `thread`: opened for the child. `focus`: a conversation that a person has turned to it. */
  readonly kind: "thread" | "focus";
  readonly createdAtMs: number;
  /** Absent: it never ends for that reason. */
  readonly idleMs?: number;
  readonly maxAgeMs?: number;
}
