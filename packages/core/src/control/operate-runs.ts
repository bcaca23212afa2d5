/** An operator's hand on the sub-agents' runs. */
export interface RunOperations {
  /** Ends a run and all below it. Throws for one that is not there, and with what stands against it. */
  kill(runId: string, actor: string): Promise<KilledRun>;
}

export interface KilledRun {
  readonly runId: string;
  /** The runs that were ended by it, its own id among them; empty: it had ended before. */
  readonly killed: readonly string[];
}
