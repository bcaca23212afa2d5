import type { EndRuns, RunEndReason, RunRow } from "@banyan/store";
import type { Observation } from "../world/observation.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import { findRunOf, listBelow } from "./family.ts";
import type { Invariant } from "./invariant.ts";

const FORCED: ReadonlySet<RunEndReason> = new Set(["killed", "session-reset", "session-delete", "timeout"]);

/** A stop reads the tree, takes back the threads that are being opened below it, and is written then. */
const MOMENT_MS = 60_000;

/** I17: what is stopped, reset or deleted leaves nothing at work below it. */
export function createCascade(): Invariant {
  return {
    name: "I17",
    observe(seen, { data, clock }) {
      if (seen.type !== "step" || seen.result.status !== "done") return undefined;
      const ended = seen.runs.flatMap(({ before, after }) => (before?.state !== "ended" && after ? [after] : []));
      const forced = ended.filter(({ endedReason }) => endedReason !== undefined && FORCED.has(endedReason));
      // A session that works on, for another run or for people in its thread, keeps what was asked for there.
      const over = forced.flatMap((run) =>
        hasThread(run) || worksOn(data, run.childSessionKey) ? [] : run.childSessionKey,
      );
      for (const key of new Set([...over, ...listReset(seen)])) {
        const left = listBelow(data, key).find((run) => run.state !== "ended" && !isBeside(run, data, clock.now()));
        if (left !== undefined) return `${key} was stopped, and ${left.runId} below it is ${left.state}`;
      }
      for (const { runId } of forced) {
        const left = listRuns(data).find(({ parentRunId, state }) => parentRunId === runId && state !== "ended");
        if (left !== undefined) return `${runId} was stopped, and ${left.runId} that it had asked for is ${left.state}`;
      }
      return undefined;
    },
  };
}

/**
 * Asked for by a sub-agent that works on for the people in its thread, while what is below it was being stopped: as well
 * a moment later, when nobody would stop it.
 */
function isBeside({ requesterSessionKey, createdAtMs }: RunRow, data: StoreMirror, nowMs: number): boolean {
  const asker = findRunOf(data, requesterSessionKey);
  return asker?.state === "ended" && hasThread(asker) && nowMs - createdAtMs < MOMENT_MS;
}

function hasThread({ body }: RunRow): boolean {
  const { threadRequested }: { readonly threadRequested: boolean } = JSON.parse(body);
  return threadRequested;
}

function worksOn(data: StoreMirror, key: string): boolean {
  return listRuns(data).some(({ childSessionKey, state }) => childSessionKey === key && state !== "ended");
}

function listRuns({ runs }: StoreMirror): readonly RunRow[] {
  return [...runs.records.values()].map(({ row }) => row);
}

/** Sessions whose conversation is over. */
function listReset({ step }: Extract<Observation, { readonly type: "step" }>): readonly string[] {
  const ends: EndRuns | undefined = step.step === "command" ? step.runs : undefined;
  return ends?.closed ?? [];
}
