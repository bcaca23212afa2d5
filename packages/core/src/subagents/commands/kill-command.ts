import type { Command, CommandContext, CommandDecision } from "../../commands/command.ts";
import { buildEndsEffect } from "../../commands/ends-effect.ts";
import { formatPlainLine } from "../../ports/plain-text.ts";
import { type PreparedEnds, prepareEnds } from "../../runs/prepare-ends.ts";
import { isUnfinished, type RunRecord } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { unquoteTarget } from "./command-target.ts";
import { chooseRun, type DirectedRuns, listTopUnfinished, NO_RUNS, readDirectedRuns } from "./directed-runs.ts";
import { boldRun, describeState, formatRunRows } from "./run-rows.ts";

const LONGEST_PERSON_CHARS = 40;

/** `/kill`: stops sub-agents with everything below them. Which end counts, this one or their own, the store decides. */
export function createKillCommand(parts: SubagentParts): Command {
  return {
    name: "kill",
    usage: "/kill <number or name|all>",
    summary: "stop a sub-agent and all below it",
    decide: (context) => decideKillCommand(context, context.rest, parts),
  };
}

export async function decideKillCommand(
  context: CommandContext,
  line: string,
  parts: SubagentParts,
): Promise<CommandDecision> {
  const target = unquoteTarget(line);
  const directed = await readDirectedRuns(context, parts);
  const { runs, nodes } = directed;
  if (target === "") return { answer: askForTarget(directed, context.now) };
  if (target.toLowerCase() === "all") return stopRuns(listTopUnfinished(nodes), context, parts);
  const chosen = chooseRun(directed, target, context.now);
  if (chosen.kind === "none") return { answer: chosen.answer };
  const { run } = chosen;
  if (!isUnfinished(run)) {
    const others = runs.filter((other) => isUnfinished(other) && other.childSessionKey === run.childSessionKey);
    if (others.length > 0) return stopRuns(others, context, parts);
    return { answer: `Nothing to stop: ${boldRun(run)} is ${describeState(run, context.now)}.` };
  }
  return stopRuns([run], context, parts);
}

function askForTarget({ runs }: DirectedRuns, now: number): string {
  const unfinished = runs.filter(isUnfinished);
  if (unfinished.length === 0)
    return runs.length === 0 ? NO_RUNS : "Nothing is at work here; there is nothing to stop.";
  return ["Which one? `/kill 1`, `/kill <name>` or `/kill all`:", formatRunRows(runs, now)].join("\n");
}

async function stopRuns(
  runs: readonly RunRecord[],
  { address, body }: CommandContext,
  parts: SubagentParts,
): Promise<CommandDecision> {
  if (runs.length === 0) return { answer: "Nothing is at work here; there is nothing to stop." };
  const rows = await Promise.all(runs.map(({ runId }) => parts.store.read.run(runId)));
  const prepared = await prepareEnds(
    {
      runs: rows.filter((row) => row !== undefined),
      reason: "killed",
      error: `It was stopped by ${namePerson(body.sender)}.`,
      by: "command",
      spokenAt: address,
    },
    parts,
  );
  return { answer: tellStopped(runs, prepared), effect: buildEndsEffect(prepared, parts) };
}

/** `Stopped **words 1/3** and 2 below it.` */
function tellStopped(runs: readonly RunRecord[], { effect }: PreparedEnds): string {
  const named = new Set(runs.map(({ runId }) => runId));
  const below = effect.ends.filter(({ runId }) => !named.has(runId)).length;
  const what = runs.map(boldRun).join(", ");
  if (below === 0) return `Stopped ${what}.`;
  return `Stopped ${what} and ${below} below ${runs.length === 1 ? "it" : "them"}.`;
}

/** A name that somebody gave himself: short, on one line, and without what would end a sentence's quotes. */
function namePerson({ id, displayName }: CommandContext["body"]["sender"]): string {
  const name = formatPlainLine(displayName ?? id).replaceAll(/["“”„`*_[\]<>]/g, "");
  return name.slice(0, LONGEST_PERSON_CHARS).toWellFormed().trim() || "somebody";
}
