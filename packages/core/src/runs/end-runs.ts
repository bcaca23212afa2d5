import type { FiredTimer, NewAudit, RunRow, TurnClaim } from "@banyan/plugin-sdk/store";
import { commitPatiently } from "../ports/commit-step.ts";
import type { TargetAnswers } from "./delivery-target.ts";
import type { EndCause } from "./end-cause.ts";
import { type PreparedEnds, prepareEnds } from "./prepare-ends.ts";
import type { RunParts } from "./run-parts.ts";
import { isUnfinished } from "./run-record.ts";
import { abandonEnds, settleEnds } from "./settle-ends.ts";

const MOST_CONFLICTS = 8;

export interface EndRunsRequest extends EndCause {
  readonly runIds: readonly string[];
  readonly closed?: readonly string[];
  /** What was due; gone with the step. */
  readonly timer?: FiredTimer;
  readonly audit?: NewAudit;
  /** The turn that asks. */
  readonly askedBy?: TurnClaim;
}

/**
 * T4 alone: ends runs from outside their turns, with everything below them. Resolves with those that this call has ended:
 * one that had come to its end by then is not among them. Decided again where something moved meanwhile.
 */
export async function endRuns(request: Omit<EndRunsRequest, "askedBy">, parts: RunParts): Promise<readonly RunRow[]> {
  const ended = await endRunsFor(request, parts);
  // Without a turn that asks, there is none that has lost its lane.
  return ended === "fenced" ? [] : ended;
}

/** As `endRuns`, for a turn: `fenced` where another process runs it, and nothing is ended. */
export async function endRunsFor(request: EndRunsRequest, parts: RunParts): Promise<readonly RunRow[] | "fenced"> {
  const answers: TargetAnswers = new Map();
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    const rows = await Promise.all(request.runIds.map((runId) => parts.store.read.run(runId)));
    const runs = rows.filter((row) => row !== undefined).filter(isUnfinished);
    const prepared = await prepareEnds({ ...request, runs, answers }, parts);
    if (prepared.effect.ends.length === 0) return [];
    const isWritten = await commitEnds(request, prepared, parts);
    if (isWritten === "conflict") continue;
    if (isWritten === "fenced") return isWritten;
    if (!isWritten) return [];
    const ended = new Set(prepared.effect.ends.map(({ runId }) => runId));
    const read = await Promise.all([...ended].map((runId) => parts.store.read.run(runId)));
    return read.filter((row) => row !== undefined);
  }
  throw new Error(
    `Runs were ended: ${request.runIds.join(", ")} changed ${MOST_CONFLICTS} times at the same time; try again`,
  );
}

async function commitEnds(
  { timer, audit, askedBy }: EndRunsRequest,
  prepared: PreparedEnds,
  parts: RunParts,
): Promise<boolean | "conflict" | "fenced"> {
  const { store, ports, signal } = parts;
  let isWritten = false;
  try {
    ports.faultPoint("T4.before");
    const more = { ...(timer && { timer }), ...(audit && { audit }), ...(askedBy && { askedBy }) };
    const step = { step: "end_runs", ...prepared.effect, ...more } as const;
    const committed = await commitPatiently(store, step, ports, signal);
    ports.faultPoint("T4.after");
    if (committed.status === "fenced") return "fenced";
    if (committed.status === "refused") return "conflict";
    isWritten = committed.status === "done" || (await isOwnEnd(prepared, parts));
    if (isWritten) settleEnds(prepared, committed.status === "done" ? committed.wakes : undefined, parts);
    return isWritten;
  } finally {
    if (!isWritten) await abandonEnds(prepared, parts);
  }
}

/** Whether what stands is what was sent: a step that is sent again after an answer was lost is answered `already`. */
async function isOwnEnd({ effect, deliveries }: PreparedEnds, { store }: RunParts): Promise<boolean> {
  const [row] = deliveries;
  if (row !== undefined) return (await store.read.delivery(row.id)) !== undefined;
  const [end] = effect.ends;
  const run = end === undefined ? undefined : await store.read.run(end.runId);
  return run?.endedReason === end?.endedReason && run?.result === end?.result;
}
