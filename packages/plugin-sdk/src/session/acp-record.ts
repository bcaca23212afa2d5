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
  /** Absolute: the working directory that the agent's session belongs to. */
  readonly cwd: string;
  readonly state: "idle" | "running" | "error";
  /** The turn that was handed to the agent last. It may be under way in a process that died. */
  readonly turnId: string;
  /** Milliseconds since the epoch. */
  readonly lastActivityAt: number;
  readonly lastError?: string;
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
