import { isUnfinished, type RunRow, UNFINISHED_STATES } from "@banyan/store";
import { endRuns } from "../../runs/end-runs.ts";
import { endOwnTurn } from "../../runs/own-turn.ts";
import { parseRunRow } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import type { ToolAnswer } from "../tools/tool-answer.ts";
import type { DirectingCall } from "./directing-call.ts";
import { describeRuns } from "./look-at-runs.ts";

/**
 * Stops runs with all that is below them, and what their sub-agents do beside: answers in a thread, and what was asked for
 * by those. A run that came to its end by itself keeps that end.
 */
export async function killRuns({ runs, listed }: DirectingCall, parts: SubagentParts): Promise<ToolAnswer> {
  const runIds = runs.filter(isUnfinished).map(({ runId }) => runId);
  const cause = { reason: "killed", error: "It was stopped by its requester.", by: "tool" } as const;
  const ended = runIds.length === 0 ? [] : [...(await endRuns({ ...cause, runIds }, parts))];
  let isTurnStopped = false;
  for (const key of new Set(runs.map(({ childSessionKey }) => childSessionKey))) {
    const rest = await stopRest(key, parts);
    ended.push(...rest.ended);
    isTurnStopped ||= rest.isTurnStopped;
  }
  const present = await Promise.all(runs.map(({ runId }) => parts.store.read.run(runId)));
  const stopped = new Set(ended.map(({ runId }) => runId));
  const named = present.filter((row) => row !== undefined).map(parseRunRow);
  const below = ended.filter(({ runId }) => !runs.some((run) => run.runId === runId)).map(parseRunRow);
  const note = isTurnStopped
    ? "The answer that it was making in its thread was stopped."
    : "Nothing was at work there any more.";
  return {
    status: "ok",
    killed: stopped.size,
    runs: await describeRuns([...named, ...below], listed, parts),
    ...(stopped.size === 0 || isTurnStopped ? { note } : {}),
  };
}

/** Of a sub-agent that works for no run any more. */
async function stopRest(
  key: string,
  parts: SubagentParts,
): Promise<{ readonly ended: readonly RunRow[]; readonly isTurnStopped: boolean }> {
  const open = await parts.store.read.runs({ childSessionKey: key, states: UNFINISHED_STATES, limit: 1 });
  if (open.length > 0) return { ended: [], isTurnStopped: false };
  const isTurnStopped = await endOwnTurn(key, parts);
  const cause = { reason: "killed", error: "What had asked for it was stopped.", by: "cascade" } as const;
  return { ended: await endRuns({ ...cause, runIds: [], closed: [key] }, parts), isTurnStopped };
}
