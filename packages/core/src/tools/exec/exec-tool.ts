import { lstat } from "node:fs/promises";
import type { Clock, Log, ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { Ports } from "../../ports/ports.ts";
import { disableDiffPrograms } from "../boundaries/dangerous-program.ts";
import { defineTool } from "../definition.ts";
import { ToolFailure } from "../failure.ts";
import { refuseExposedWorkspace, resolveWorkspacePath, workspacePathArgument } from "../files/workspace-path.ts";
import { resolveToolTimeoutMs } from "../limits.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { parseCommandLine } from "./command-line.ts";
import { buildChildEnvironment, createProgramHome, removeProgramHome } from "./environment.ts";
import { type ProcessEnd, runProcessGroup } from "./process-group.ts";

export interface ExecToolParts extends Pick<Ports, "clock" | "scrub" | "createUuid"> {
  readonly log: Pick<Log, "warn">;
  /** The gateway's environment; few variables are passed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface ExecArgs {
  readonly command?: string | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly timeoutSeconds?: number | undefined;
}

const MAX_COMMAND_CHARS = 32_000;
const MAX_ARGUMENTS = 1_000;
/** `environment.ts` keeps homes of programs for longer. */
const MAX_TIMEOUT_SECONDS = 3_600;
/** After a program is killed, reading its output takes a moment. */
const GRACE_MS = 2_000;
/** Room for the first line, which says how it ended. */
const HEADER_ROOM_BYTES = 200;

const word = z
  .string()
  .max(MAX_COMMAND_CHARS)
  .refine((text) => !text.includes("\0"), { error: "must not hold a NUL character" });

const args: z.ZodType<ExecArgs> = z.strictObject({
  command: word.optional().describe("A program with its arguments and quotes. No shell: no pipes, ;, $, * or >."),
  argv: z
    .array(word)
    .min(1)
    .max(MAX_ARGUMENTS)
    .optional()
    .describe("Instead: the program and its arguments, one each."),
  cwd: workspacePathArgument
    .optional()
    .describe("The folder to start in, relative to the workspace; default the workspace."),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_SECONDS)
    .optional()
    .describe("When to end it; there is a limit anyway."),
});

/**
 * Creates the tool that runs a program with the rights of Banyan's own user. Environment, folder, time and output are
 * limited and the arguments checked, but what the program does is not: a policy, not an isolation.
 */
export function createExecTool(parts: ExecToolParts): Tool {
  return defineTool({
    name: "exec",
    description:
      "Runs one program in the workspace, without a shell and without input, and answers with how it ended and what it " +
      "wrote. Give command or argv. All that it starts ends with it.",
    args,
    isRepeatable: false,
    effect: "runs",
    // The tool ends the program itself, by the limits.
    timeoutMs: MAX_TIMEOUT_SECONDS * 1_000,
    graceMs: GRACE_MS,
    use: (wanted) => {
      const argv = readArgv(wanted);
      return typeof argv === "string" ? argv : { command: { argv, cwd: wanted.cwd ?? "." } };
    },
    run: (wanted, context) => runProgram(wanted, context, parts),
  });
}

/** Returns a sentence if the arguments are not valid. */
function readArgv({ command, argv }: ExecArgs): readonly string[] | string {
  if ((command === undefined) === (argv === undefined)) return "give either command or argv.";
  if (command === undefined) return argv?.[0]?.trim() ? argv : "the first of argv is the program; name one.";
  const parsed = parseCommandLine(command);
  return parsed.kind === "invalid" ? parsed.problem : parsed.words;
}

async function runProgram(wanted: ExecArgs, context: ToolContext, parts: ExecToolParts): Promise<ToolResult> {
  const argv = readArgv(wanted);
  if (typeof argv === "string") throw new ToolFailure("error", argv);
  // A person may have needed minutes to allow it since the check.
  await refuseExposedWorkspace(context);
  const { realPath: cwd } = await resolveWorkspacePath(wanted.cwd ?? ".", context, "list");
  const { realPath: workspaceDir } = await resolveWorkspacePath(".", context, "list");
  // Without process groups, what a program started could not be killed with it.
  if (process.platform === "win32") throw new ToolFailure("error", "programs cannot be run on Windows; go on without.");
  if (!(await lstat(cwd)).isDirectory()) throw new ToolFailure("error", "cwd is no directory; name one.");
  const { limits, signal } = context;
  const wantedMs = resolveToolTimeoutMs((wanted.timeoutSeconds ?? MAX_TIMEOUT_SECONDS) * 1_000, limits);
  const timeoutMs = Math.min(wantedMs, limits.programMs);
  const { scrub, createUuid, clock } = parts;
  const outputLimitBytes = Math.max(0, limits.outputLimitBytes - HEADER_ROOM_BYTES);
  const homeDir = await createProgramHome();
  try {
    const env = buildChildEnvironment({ gatewayEnv: parts.env, workspaceDir, homeDir, scrub, mark: createUuid() });
    const spec = { argv: disableDiffPrograms(argv), cwd, env, timeoutMs, outputLimitBytes, scrub, signal };
    const end = await start(spec, clock);
    const isError = !(end.how.kind === "exit" && end.how.code === 0);
    return { text: `[${formatEnd(end)}]\n${end.output}`.trimEnd(), isError };
  } finally {
    await removeProgramHome(homeDir, parts.log);
  }
}

async function start(spec: Parameters<typeof runProcessGroup>[0], clock: Clock): Promise<ProcessEnd> {
  try {
    return await runProcessGroup(spec, clock);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    const name = JSON.stringify((spec.argv[0] ?? "").slice(0, 100));
    if (code === "ENOENT") throw new ToolFailure("error", `there is no program ${name} here; use another.`, { cause });
    if (code === "EACCES") throw new ToolFailure("permission", `${name} is no program that may be run.`, { cause });
    if (code === "E2BIG") throw new ToolFailure("resource", "the command is longer than the system takes.", { cause });
    if (code === "EAGAIN") throw new ToolFailure("resource", "too many programs run; try again later.", { cause });
    throw cause;
  }
}

function formatEnd({ how, durationMs }: ProcessEnd): string {
  const took = `${(durationMs / 1_000).toFixed(1)} s`;
  switch (how.kind) {
    case "exit":
      return `exit code ${how.code} after ${took}`;
    case "signal":
      return `ended by ${how.name} after ${took}`;
    case "timeout":
      return `ended after ${took}: its time was over; what it did until then stays done`;
    case "stopped":
      return `ended after ${took}: the turn was stopped; what it did until then stays done`;
  }
}
