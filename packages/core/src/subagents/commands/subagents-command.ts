import { isUnfinished } from "@banyan/store";
import type { Command, CommandContext, CommandDecision } from "../../commands/command.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { unquoteTarget } from "./command-target.ts";
import { type ChosenRun, chooseRun, NO_RUNS, readDirectedRuns } from "./directed-runs.ts";
import { decideKillCommand } from "./kill-command.ts";
import { formatRunInfo } from "./run-info.ts";
import { readRunLog } from "./run-log.ts";
import { formatRunRows } from "./run-rows.ts";
import { decideSend } from "./send-command.ts";
import { decideSpawnCommand } from "./spawn-command.ts";
import { decideWait } from "./wait-command.ts";

const WAIT = "wait";

type Decide = (context: CommandContext, line: string, parts: SubagentParts) => Promise<CommandDecision>;

const VERBS: ReadonlyMap<string, Decide> = new Map<string, Decide>([
  ["list", decideList],
  ["info", (...asked) => decideOnRun(...asked, (run, context, parts) => formatRunInfo(run, context, parts))],
  ["log", (...asked) => decideOnRun(...asked, (run, context, parts) => readRunLog(run, context, parts))],
  ["send", (context, line, parts) => decideSend(context, line, { verb: "send" }, parts)],
  ["steer", (context, line, parts) => decideSend(context, line, { verb: "steer" }, parts)],
  ["kill", decideKillCommand],
  [WAIT, decideWait],
  ["spawn", decideSpawnCommand],
]);

const USAGE = [
  "- `/subagents` lists the sub-agents of this conversation",
  "- `/subagents info 1` all about one, `/subagents log 1` what it said last",
  "- `/subagents send 1 <text>` writes to it, `/subagents steer 1 <text>` while it works",
  "- `/subagents kill 1` or `kill all` stops it and all below it",
  "- `/subagents wait 1 5m` waits for its end: a minute, or as long as you say, at most 1h; your next message ends that",
  "- `/subagents spawn <task>` is the same as `/spawn`",
  "",
  "Instead of the number: its name, or the beginning of its id.",
].join("\n");

/** `/subagents`: everything about sub-agents under one name. */
export function createSubagentsCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.subagents,
    waits: (rest) => splitVerb(rest).verb === WAIT,
    async decide(context) {
      const { verb, line } = splitVerb(context.rest);
      const decide = VERBS.get(verb || "list");
      if (verb === "help") return { answer: USAGE };
      if (decide === undefined) return { answer: `That subcommand is unknown. There are:\n\n${USAGE}` };
      return decide(context, line, parts);
    },
  };
}

function splitVerb(rest: string): { readonly verb: string; readonly line: string } {
  const [, verb = "", line = ""] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  return { verb: verb.toLowerCase(), line: line.trim() };
}

async function decideList(context: CommandContext, _line: string, parts: SubagentParts): Promise<CommandDecision> {
  const { runs } = await readDirectedRuns(context, parts);
  if (runs.length === 0) return { answer: NO_RUNS };
  const atWork = runs.filter(isUnfinished).length;
  return {
    answer: [
      `${atWork === 0 ? "None" : atWork} at work, ${runs.length} in all.`,
      formatRunRows(runs, context.now),
      "`/subagents info 1` tells more, `/subagents help` what else there is.",
    ].join("\n"),
  };
}

async function decideOnRun(
  context: CommandContext,
  line: string,
  parts: SubagentParts,
  tell: (
    run: Extract<ChosenRun, { kind: "chosen" }>["run"],
    context: CommandContext,
    parts: SubagentParts,
  ) => Promise<string>,
): Promise<CommandDecision> {
  const directed = await readDirectedRuns(context, parts);
  const target = unquoteTarget(line) || (directed.runs.length === 1 ? "1" : "");
  if (target === "" && directed.runs.length > 0)
    return { answer: ["Which one? Say its number or its name:", formatRunRows(directed.runs, context.now)].join("\n") };
  const chosen = chooseRun(directed, target, context.now);
  return { answer: chosen.kind === "none" ? chosen.answer : await tell(chosen.run, context, parts) };
}
