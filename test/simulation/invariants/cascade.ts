import type { EndRuns, RunEndReason } from "@banyan/plugin-sdk/store";
import type { Observation } from "../world/observation.ts";
import { listBelow } from "./family.ts";
import type { Invariant } from "./invariant.ts";

const FORCED: ReadonlySet<RunEndReason> = new Set(["killed", "session-reset", "session-delete", "timeout"]);

/** I17: what is stopped, reset or deleted leaves nothing at work below it. */
export function createCascade(): Invariant {
  return {
    name: "I17",
    observe(seen, { data }) {
      if (seen.type !== "step" || seen.result.status !== "done") return undefined;
      const ended = seen.runs.flatMap(({ before, after }) => (before?.state !== "ended" && after ? [after] : []));
      const forced = ended.filter(({ endedReason }) => endedReason !== undefined && FORCED.has(endedReason));
      const keys = new Set([...forced.map(({ childSessionKey }) => childSessionKey), ...listReset(seen)]);
      for (const key of keys) {
        const left = listBelow(data, key).find(({ state }) => state !== "ended");
        if (left !== undefined) return `${key} was stopped, and ${left.runId} below it is ${left.state}`;
      }
      return undefined;
    },
  };
}

/** Sessions whose conversation is over. */
function listReset({ step }: Extract<Observation, { readonly type: "step" }>): readonly string[] {
  const ends: EndRuns | undefined = step.step === "command" ? step.runs : undefined;
  return ends?.closed ?? [];
}
