import { endRuns } from "../../runs/end-runs.ts";
import { isUnfinished, parseRunRow } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import type { ToolAnswer } from "../tools/tool-answer.ts";
import type { DirectingCall } from "./directing-call.ts";
import { describeRuns } from "./look-at-runs.ts";

/** Stops runs with all that is below them. One that came to its end by itself keeps that end. */
export async function killRuns({ runs, listed }: DirectingCall, parts: SubagentParts): Promise<ToolAnswer> {
  const runIds = runs.filter(isUnfinished).map(({ runId }) => runId);
  const cause = { reason: "killed", error: "It was stopped by its requester.", by: "tool" } as const;
  const ended = runIds.length === 0 ? [] : await endRuns({ ...cause, runIds }, parts);
  const present = await Promise.all(runs.map(({ runId }) => parts.store.read.run(runId)));
  const stopped = new Set(ended.map(({ runId }) => runId));
  const named = present.filter((row) => row !== undefined).map(parseRunRow);
  const below = ended.filter(({ runId }) => !runs.some((run) => run.runId === runId)).map(parseRunRow);
  return {
    status: "ok",
    killed: stopped.size,
    runs: await describeRuns([...named, ...below], listed, parts),
    ...(stopped.size === 0 ? { note: "Nothing was at work there any more." } : {}),
  };
}
