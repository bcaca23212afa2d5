import { parseAddress } from "@banyan/plugin-sdk";
import type { DeliveryRow, DeliveryState } from "@banyan/store";
import {
  type Command,
  type CommandContext,
  type CommandDecision,
  type CommandEffect,
  countOf,
} from "../../commands/command.ts";
import { isUnfinished, parseRunRow, type RunRecord } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { unquoteTarget } from "./command-target.ts";
import { chooseRun, NO_RUNS, readDirectedRuns } from "./directed-runs.ts";
import { boldRun } from "./run-rows.ts";

/** Whoever has more than this undelivered asks the operator. */
const MOST_ROWS = 1_000;
const FAILED: readonly DeliveryState[] = ["undeliverable", "unknown", "stuck"];
const UNDER_WAY: readonly DeliveryState[] = ["pending", "sending"];

/**
 * `/retry`: what could not be delivered of a sub-agent's completion is sent again. Only what was to be told in this very
 * conversation: what its sub-agents tell one another is theirs.
 */
export function createRetryCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.retry,
    decide: (context) => decideRetry(context, parts),
  };
}

async function decideRetry(context: CommandContext, parts: SubagentParts): Promise<CommandDecision> {
  const target = unquoteTarget(context.rest);
  const named = target === "" ? undefined : await findToldRun(target, context, parts);
  if (named !== undefined) return retryRuns([named], context, parts);
  const directed = await readDirectedRuns(context, parts);
  if (target === "" && directed.runs.length === 0) return { answer: NO_RUNS };
  if (target === "") return retryRuns(directed.runs, context, parts);
  const chosen = chooseRun(directed, target, context.now);
  return chosen.kind === "none" ? { answer: chosen.answer } : retryRuns([chosen.run], context, parts);
}

/** By its whole id also one that was put away: a button below its message still means it. */
async function findToldRun(
  runId: string,
  { record }: CommandContext,
  { store }: SubagentParts,
): Promise<RunRecord | undefined> {
  const row = await store.read.run(runId);
  if (row === undefined) return undefined;
  return (row.toldSessionKey ?? row.requesterSessionKey) === record.key ? parseRunRow(row) : undefined;
}

async function retryRuns(
  runs: readonly RunRecord[],
  context: CommandContext,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const { record, address, body } = context;
  const runIds = runs.map(({ runId, toldWithRunId = runId }) => toldWithRunId);
  const states = [...FAILED, ...UNDER_WAY];
  const found = await parts.store.read.deliveries({ runIds: [...new Set(runIds)], states, limit: MOST_ROWS });
  const failed = found.filter(({ state, sessionKey }) => FAILED.includes(state) && sessionKey === record.key);
  if (failed.length === 0) return { answer: tellNothing(runs, found, record.key) };
  const ids = failed.map(({ id }) => id);
  const actor = `${parseAddress(address).channel}:${body.sender.id}`;
  const audit = { actor, action: "retry_delivery", detail: ids.join(" ") };
  return { answer: tellRetried(runs, failed), effect: buildRetryEffect({ ids, audit }, failed, parts) };
}

function buildRetryEffect(
  retry: NonNullable<CommandEffect["written"]["retry"]>,
  rows: readonly DeliveryRow[],
  { outbox }: SubagentParts,
): CommandEffect {
  return {
    written: { retry },
    settle() {
      for (const row of rows) outbox.refresh(row);
    },
    abandon: async () => undefined,
  };
}

/** `Trying again: what of **census** did not arrive (2 messages).` Whether it arrives now, nobody knows yet. */
function tellRetried(runs: readonly RunRecord[], failed: readonly DeliveryRow[]): string {
  const count = new Set(failed.map(({ deliveryId }) => deliveryId)).size;
  const [only, ...others] = runs.filter(({ runId, toldWithRunId = runId }) =>
    failed.some((row) => row.runId === toldWithRunId),
  );
  const whose =
    only === undefined || others.length > 0 ? countOf(others.length + 1, "sub-agent", "sub-agents") : boldRun(only);
  const isDoubtful = failed.some(({ state, policy }) => state === "unknown" && policy !== "effectively-once");
  const doubt = isDoubtful ? " Parts of it may appear twice then." : "";
  return `Trying again: what of ${whose} did not arrive (${countOf(count, "message", "messages")}).${doubt}`;
}

function tellNothing(runs: readonly RunRecord[], found: readonly DeliveryRow[], sessionKey: string): string {
  const [only, ...others] = runs;
  const begin = "Nothing to send again";
  if (found.some((row) => row.sessionKey === sessionKey)) return `${begin}: it is on its way already.`;
  if (found.length > 0)
    return `${begin} here: it belongs in the conversation of the sub-agent that had asked; \`/retry\` works there.`;
  if (only === undefined || others.length > 0) return `${begin}: no message has failed.`;
  return isUnfinished(only)
    ? `${begin}: ${boldRun(only)} has not ended yet.`
    : `${begin}: no message of ${boldRun(only)} has failed.`;
}
