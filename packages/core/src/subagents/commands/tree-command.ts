import { isUnfinished } from "@banyan/store";
import type { Command, CommandContext } from "../../commands/command.ts";
import { drawRunTree } from "../../runs/draw-run-tree.ts";
import { trimRunTree } from "../../runs/run-tree.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { NO_RUNS, readDirectedRuns } from "./directed-runs.ts";
import { readOwnRun } from "./own-run.ts";
import { boldRun, CHAT_COLUMNS, describeState, fence } from "./run-rows.ts";

const MOST_RUNS = 30;

/** `/tree`: what hangs below this conversation, and below what it hangs. */
export function createTreeCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.tree,
    async decide(context) {
      const place = await describePlace(context, parts);
      const { nodes, runs } = await readDirectedRuns(context, parts);
      if (runs.length === 0)
        return { answer: [...place, place.length > 0 ? "Nothing hangs below it." : NO_RUNS].join("\n") };
      const trimmed = trimRunTree(nodes, MOST_RUNS);
      const atWork = runs.filter(isUnfinished).length;
      return {
        answer: [
          ...place,
          `${atWork === 0 ? "None" : atWork} at work, ${runs.length} in all.`,
          fence(drawRunTree(trimmed.nodes, { now: context.now, columns: CHAT_COLUMNS })),
          ...(trimmed.hidden === 0 ? [] : [`… and ${trimmed.hidden} that ended before.`]),
        ].join("\n"),
      };
    },
  };
}

/** Where a sub-agent's own conversation hangs. */
async function describePlace({ record, now }: CommandContext, { store }: SubagentParts): Promise<readonly string[]> {
  const run = await readOwnRun(record.key, store.read);
  if (run === undefined) return [];
  const above = await readOwnRun(run.requesterSessionKey, store.read);
  const parent = above === undefined ? "the conversation that asked for it" : boldRun(above);
  return [`Here you talk with ${boldRun(run)} (${describeState(run, now)}), which hangs below ${parent}.`];
}
