import { z } from "zod";
import { readListedRuns } from "../../runs/read-listed-runs.ts";
import { defineTool } from "../../tools/definition.ts";
import type { Tool, ToolContext } from "../../tools/tool.ts";
import { chooseRuns } from "../direct/choose-runs.ts";
import type { RunAction } from "../direct/directing-call.ts";
import { killRuns } from "../direct/kill-runs.ts";
import { listRuns, showLog, showRun } from "../direct/look-at-runs.ts";
import { waitForRuns } from "../direct/wait-for-runs.ts";
import { steerRun, writeToRun } from "../direct/write-to-runs.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { readControlScope } from "../visibility/read-control-scope.ts";
import { messageArgument } from "./message-argument.ts";
import { formatToolAnswer, type ToolAnswer } from "./tool-answer.ts";
import { timeoutSecondsArgument, WAITING_TOOL_TIMEOUT_MS } from "./wait-argument.ts";

const ACTIONS = ["list", "info", "log", "kill", "steer", "send", "wait"] as const;
const TARGET_LIMIT_CHARS = 1_000;

interface SubagentsArgs {
  readonly action: (typeof ACTIONS)[number];
  readonly target?: string | undefined;
  readonly text?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
}

interface ActionSpec {
  readonly run: RunAction;
  /** It changes what the sub-agent does, so the caller must be one that directs. */
  readonly isControl?: boolean;
  /** May mean every unfinished one. */
  readonly takesAll?: boolean;
  /** What is meant without a target; absent: one has to be given. */
  readonly withoutTarget?: "all" | "none";
}

const SPECS: Readonly<Record<SubagentsArgs["action"], ActionSpec>> = {
  list: { run: listRuns, withoutTarget: "none" },
  info: { run: showRun },
  log: { run: showLog },
  kill: { run: killRuns, isControl: true, takesAll: true },
  steer: { run: steerRun, isControl: true },
  send: { run: writeToRun, isControl: true },
  wait: { run: waitForRuns, takesAll: true, withoutTarget: "all" },
};

const args: z.ZodType<SubagentsArgs> = z.strictObject({
  action: z.enum(ACTIONS),
  target: z
    .string()
    .trim()
    .min(1)
    .max(TARGET_LIMIT_CHARS)
    .optional()
    .describe(
      "Which one: its number in list, run id or how that begins, session key, task name or label; last is the newest. " +
        "kill and wait also take all: every unfinished one. Default of wait: all.",
    ),
  text: messageArgument.optional().describe("With send and steer: the message to it."),
  timeoutSeconds: timeoutSecondsArgument
    .optional()
    .describe("With wait: how long, default 60. With send: how long to wait for its reply, default 0."),
});

/** `subagents`: what the caller has spawned, looked at and directed. */
export function createSubagentsTool(parts: SubagentParts): Tool {
  return defineTool({
    name: "subagents",
    description:
      "Looks at and directs the sub-agents below you. list: all of them; info, log: one of them; kill: stops it and " +
      "what is below it; steer: sends one at work a message, for its present turn where possible, else after it; send: gives it more to do; " +
      "wait: until they have ended. Results come to you by themselves, so wait only if you can do nothing else.",
    args,
    isRepeatable: true,
    timeoutMs: WAITING_TOOL_TIMEOUT_MS,
    run: async (given, context) => formatToolAnswer(await direct(given, context, parts)),
  });
}

async function direct(
  { action, target, text, timeoutSeconds }: SubagentsArgs,
  context: ToolContext,
  parts: SubagentParts,
): Promise<ToolAnswer> {
  const { run, isControl = false, takesAll = false, withoutTarget } = SPECS[action];
  const attempt = `Directing sub-agents (${action})`;
  if (isControl && (await readControlScope(context.event, parts)) === "none") {
    return {
      status: "forbidden",
      error: `${attempt}: a sub-agent at this depth directs no others; finish your task yourself`,
    };
  }
  const listed = await readListedRuns(parts.store.read, context.event.sessionKey);
  const meant = target ?? withoutTarget;
  if (meant === undefined)
    return { status: "error", error: `${attempt}: no target was given; give one that list shows` };
  const chosen =
    action === "list" ? ({ kind: "chosen", runs: listed } as const) : chooseRuns(listed, meant, { takesAll });
  if (chosen.kind === "none") return { status: "error", error: `${attempt}: ${chosen.problem}` };
  const timeoutMs = timeoutSeconds === undefined ? undefined : timeoutSeconds * 1_000;
  return run({ listed, runs: chosen.runs, text, timeoutMs, context }, parts);
}
