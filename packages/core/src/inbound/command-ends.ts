import { isUnfinished } from "@banyan/store";
import type { CommandDecision, CommandOrder } from "../commands/command.ts";
import { type PreparedEnds, prepareEnds } from "../runs/prepare-ends.ts";
import type { RunParts, StoppedTurn } from "../runs/run-parts.ts";

const OPEN_ITEMS = 1_000;

/** Of one session: one waits for what it has spawned, others were sent to it. */
const MOST_WAITING_RUNS = 100;

/**
 * What a stop or a reset ends beside the turn: the run that the turn worked for, and with a reset those of the session's
 * runs that wait for others, and all that the session has asked for. `undefined`: nothing of that kind is decided.
 */
export async function prepareCommandEnds(
  context: CommandOrder,
  decision: CommandDecision,
  stopped: StoppedTurn | undefined,
  parts: RunParts,
): Promise<PreparedEnds | undefined> {
  if (!decision.stops) return undefined;
  const { key } = context.record;
  const run = await findActiveRun(context, parts);
  if (run === undefined && !decision.resets) return undefined;
  const waiting = decision.resets ? await readWaitingRuns(key, parts) : [];
  return prepareEnds(
    {
      runs: run === undefined ? waiting : [...waiting, run],
      closed: decision.resets ? [key] : [],
      reason: decision.resets ? "session-reset" : "killed",
      error: decision.resets ? "Its conversation was reset." : "It was stopped.",
      ...(context.address === undefined ? { by: "operator" } : { by: "command", spokenAt: context.address }),
      answers: context.answers,
      halted: { lane: key, turn: stopped },
    },
    parts,
  );
}

/** What they wait for is ended as well, so nobody has an answer to wait for. */
function readWaitingRuns(childSessionKey: string, { store }: RunParts) {
  return store.read.runs({ childSessionKey, states: ["waiting"], limit: MOST_WAITING_RUNS });
}

async function findActiveRun({ record, lane }: CommandOrder, { store }: RunParts) {
  if (lane.active.length === 0) return undefined;
  const open = await store.read.openItems({ lane: record.key, limit: OPEN_ITEMS });
  const runId = open.find(({ state, runId: id }) => state === "active" && id !== undefined)?.runId;
  const run = runId === undefined ? undefined : await store.read.run(runId);
  return run !== undefined && isUnfinished(run) ? run : undefined;
}
