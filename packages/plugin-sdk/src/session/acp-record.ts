/** What a session's record keeps of the agent that works for it by the Agent Client Protocol. */
export interface AcpRecord {
  /** Which runtime drives it. */
  readonly backend: string;
  /** The agent's name in the configuration's words; the file's name of one with a command of its own. */
  readonly agent: string;
  readonly identity: AcpIdentity;
  readonly mode: "persistent" | "oneshot";
  /** What the session was set to. */
  readonly runtimeOptions: { readonly profile: string; readonly mode?: string };
  /** What the agent's session had by itself, of what it was set to for a conversation: it has that again where nothing is set. */
  readonly usual?: { readonly model?: string; readonly thinking?: string } | undefined;
  /** Absolute: the working directory that the agent's session belongs to. */
  readonly cwd: string;
  /** How many sessions it has given up to others, which go on in its folder: its own next one has another. */
  readonly gaveUp?: number;
  readonly state: "idle" | "running" | "error";
  /** The turn that was handed to the agent last. It may be under way in a process that died. Absent: none was yet. */
  readonly turnId?: string;
  /** What the agent's side is to begin with, while its identity is `pending`; then what it has begun with. */
  readonly takesUp?: AcpTakeUp;
  /** The turn that tells the agent's session who it works for, as far as it does not know. */
  readonly introduction?: { readonly turnId: string; readonly withHistory: boolean };
  /** What the agent said it can do with a session. Absent: not known. */
  readonly abilities?: { readonly canTakeUp: boolean; readonly canFork: boolean };
  /**
   * Up to where the cost of the agent's session is counted, in US dollars, by the agent's own count: 0 of one that has just
   * begun. Absent: not known.
   */
  readonly spentUsd?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly lastActivityAt: number;
  readonly lastError?: string;
}

/** `resume`: goes on in that session of the agent's, which is no other conversation's any more. `fork`: in a copy of it. */
export interface AcpTakeUp {
  readonly way: "resume" | "fork";
  readonly agentSessionId: string;
}

export interface AcpIdentity {
  /** `pending`: the agent has not said yet which session of its own it is. */
  readonly state: "pending" | "resolved";
  readonly source: "ensure" | "status" | "event";
  /** The agent's own id of the session: a later process takes it up by this. */
  readonly agentSessionId?: string;
  /** Milliseconds since the epoch. */
  readonly lastUpdatedAt: number;
}
