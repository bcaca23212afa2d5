/** The chain of checks that every tool call passes, by priority. */
import type { CallableHooks } from "../../hooks/lifecycle-hooks.ts";
import type { Ports } from "../../ports/ports.ts";
import { isGit } from "../boundaries/dangerous-program.ts";
import { decideCommand } from "../boundaries/decide.ts";
import { listClosedSettings } from "../boundaries/git-settings.ts";
import { cutToolOutput } from "../output.ts";
import type { CheckedCall, ToolCheck } from "../tool.ts";
import { audit, createFileAccessLog } from "./call-record.ts";
import { createPathSecurity, filePermission } from "./path-check.ts";

export interface CheckChainParts extends Pick<Ports, "log" | "scrub"> {
  readonly hooks: Pick<CallableHooks, "before_tool_call" | "after_tool_call">;
  /** Checks after the six. */
  readonly more?: readonly ToolCheck[];
}

/**
 * Builds the chain that every tool call passes, for every runtime: the six checks of the host and the taps of plugins.
 */
export function createCheckChain({ log, scrub, hooks, more = [] }: CheckChainParts): () => readonly ToolCheck[] {
  const own = [
    createPathSecurity(scrub),
    filePermission,
    dangerousCommand,
    createFileAccessLog(log),
    createResourceLimit(),
    audit,
    ...more,
  ];
  // At equal priority the taps of plugins come first, so that the host's records include what they decide.
  return () => [...listPluginChecks(hooks), ...own].toSorted((one, other) => other.priority - one.priority);
}

/**
 * The taps of plugins on `before_tool_call` and `after_tool_call` as checks of the chain: one check for each priority.
 */
function listPluginChecks(hooks: Pick<CallableHooks, "before_tool_call" | "after_tool_call">): readonly ToolCheck[] {
  const { before_tool_call: before, after_tool_call: after } = hooks;
  const priorities = [...new Set([...before.priorities, ...after.priorities])];
  return priorities.map((priority) => ({
    name: `taps of priority ${priority}`,
    priority,
    async pre({ event }) {
      const refusal = await before.call(event, priority);
      return refusal && { kind: "refuse", failure: "refused", why: refusal.refused };
    },
    post: async ({ event }, result) => (await after.call({ ...event, result }, priority)).result,
  }));
}

/** Decides about a command by the boundaries of the agents and the host's list of dangerous programs. */
const dangerousCommand: ToolCheck = {
  name: "dangerous commands",
  priority: 8,
  async pre({ use, scope }) {
    if (use.command === undefined) return undefined;
    const { argv } = use.command;
    const settings = isGit(argv) ? await listClosedSettings(scope.workspaceDir) : [];
    const verdict = decideCommand(argv, scope.boundaries, settings);
    if (verdict.kind === "closed") return { kind: "refuse", failure: "permission", why: verdict.why };
    return verdict.kind === "ask" ? { kind: "ask" } : undefined;
  },
};

interface ProcessLimits {
  /** Of the gateway, concurrently. */
  readonly maxProcesses: number;
  /** Of one session, concurrently. */
  readonly maxProcessesOfSession: number;
}

/** A machine with two cores stays responsive, and one conversation leaves room for others. */
const DEFAULT_PROCESS_LIMITS: ProcessLimits = { maxProcesses: 8, maxProcessesOfSession: 3 };
/** The system's limit for one argument. */
const MAX_COMMAND_BYTES = 128 * 1024;

/** Limits how much a call may write, how many programs run concurrently and how long a result may be. */
function createResourceLimit(limits: ProcessLimits = DEFAULT_PROCESS_LIMITS): ToolCheck {
  const running = new Map<CheckedCall, string>();
  return {
    name: "resource limits",
    priority: 6,
    pre({ use, scope }) {
      const { writeBytes = 0, command } = use;
      const { writeLimitBytes } = scope.limits;
      if (writeBytes > writeLimitBytes)
        return refuse(`it would write ${writeBytes} bytes, and ${writeLimitBytes} is the most; write less.`);
      const commandBytes = Buffer.byteLength(command?.argv.join(" ") ?? "");
      if (commandBytes > MAX_COMMAND_BYTES)
        return refuse(`the command has ${commandBytes} bytes, and ${MAX_COMMAND_BYTES} is the most; use a file.`);
      return undefined;
    },
    begin(call) {
      if (call.use.command === undefined) return undefined;
      const { sessionKey } = call.event;
      const ofSession = [...running.values()].filter((one) => one === sessionKey).length;
      if (running.size >= limits.maxProcesses || ofSession >= limits.maxProcessesOfSession)
        return "as many programs run as may at once; wait for one of them, then call it again.";
      running.set(call, sessionKey);
      return undefined;
    },
    post: ({ scope }, result) => ({ ...result, text: cutToolOutput(result.text, scope.limits.outputLimitBytes) }),
    settle: (call) => void running.delete(call),
  };
}

function refuse(why: string) {
  return { kind: "refuse", failure: "resource", why } as const;
}
