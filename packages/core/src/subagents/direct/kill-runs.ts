import type { RunRow, TurnClaim } from "@banyan/plugin-sdk/store";
import { endRunsFor } from "../../runs/end-runs.ts";
import { endOwnTurn } from "../../runs/own-turn.ts";
import { isUnfinished, parseRunRow, UNFINISHED_STATES } from "../../runs/run-record.ts";
import { LOST_TURN } from "../send/sent-message.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import type { ToolAnswer } from "../tools/tool-answer.ts";
import type { DirectingCall } from "./directing-call.ts";
import { describeRuns } from "./look-at-runs.ts";

/**
 * Stops runs with all that is below them, and what their sub-agents do beside: answers in a thread, and what was asked for
 * by those. A run that came to its end by itself keeps that end.
 */
export async function killRuns(call: DirectingCall, parts: SubagentParts): Promise<ToolAnswer> {
  const { runs, listed, context } = call;
  const askedBy = { lane: context.event.sessionKey, epoch: context.caller.epoch };
  const runIds = runs.filter(isUnfinished).map(({ runId }) => runId);
  const cause = { reason: "killed", error: "It was stopped by its requester.", by: "tool", askedBy } as const;
  const own = runIds.length === 0 ? [] : await endRunsFor({ ...cause, runIds }, parts);
  if (own === "fenced") return refuseLost();
  const ended = [...own];
  let isTurnStopped = false;
  for (const key of new Set(runs.map(({ childSessionKey }) => childSessionKey))) {
    const rest = await stopRest(key, askedBy, parts);
    if (rest === "fenced") return refuseLost();
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

function refuseLost(): ToolAnswer {
  return { status: "error", error: `Stopping sub-agents: ${LOST_TURN}` };
}

/** Of a sub-agent that works for no run any more. */
async function stopRest(
  key: string,
  askedBy: TurnClaim,
  parts: SubagentParts,
): Promise<{ readonly ended: readonly RunRow[]; readonly isTurnStopped: boolean } | "fenced"> {
  const open = await parts.store.read.runs({ childSessionKey: key, states: UNFINISHED_STATES, limit: 1 });
  if (open.length > 0) return { ended: [], isTurnStopped: false };
  const stopped = await endOwnTurn(key, parts, askedBy);
  const cause = { reason: "killed", error: "What had asked for it was stopped.", by: "cascade", askedBy } as const;
  const ended = stopped === "fenced" ? stopped : await endRunsFor({ ...cause, runIds: [], closed: [key] }, parts);
  return ended === "fenced" ? ended : { ended, isTurnStopped: stopped === "done" };
}
