import { isUnfinished } from "@banyan/store";
import { BanyanError } from "../ports/errors.ts";
import { endRuns } from "../runs/end-runs.ts";
import type { RunParts } from "../runs/run-parts.ts";

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

export function createRunOperations(parts: RunParts): RunOperations {
  return {
    async kill(runId, actor) {
      const run = await parts.store.read.run(runId);
      if (run === undefined) {
        throw new BanyanError(
          "run_not_found",
          `Stopping a run: there is none of that id, received ${JSON.stringify(runId)}; banyan runs list shows them`,
        );
      }
      if (!isUnfinished(run)) return { runId, killed: [] };
      const ended = await endRuns(
        {
          runIds: [runId],
          reason: "killed",
          error: "It was stopped by the operator.",
          by: "operator",
          audit: { actor, action: "run-kill", detail: runId },
        },
        parts,
      );
      // A reservation is undone without an end of its own: nobody was given its id.
      const isUndone = ended.length === 0 && run.state === "reserved";
      return { runId, killed: isUndone ? [runId] : ended.map((row) => row.runId) };
    },
  };
}
