/**
 * A tool call, stage by stage: known and allowed · arguments valid · hook `before_tool_call` · a person asked, where the
 * policy says so · run within its time · hook `after_tool_call` · output cut to its limit. Every failure is a result the agent sees.
 */
import type {
  Clock,
  Log,
  PermissionRequest,
  PermissionVerdict,
  ToolCallEvent,
  ToolRefusal,
  ToolResult,
} from "@banyan/plugin-sdk";
import { buildToolQuestionName, buildToolRequest, formatRefusal } from "../questions/tool-question.ts";
import { parseSystemFailure } from "./system-failure.ts";
import { runWithinTime, type TimedEnd } from "./time-limit.ts";
import type { PreparedCall, Tool, ToolTurn } from "./tool.ts";
import { buildFailureResult, ToolFailure } from "./tool-failure.ts";
import { resolveToolTimeoutMs, type ToolLimits } from "./tool-limits.ts";
import { cutToolOutput } from "./tool-output.ts";
import { isAskedFor, isToolAllowed, type ToolPolicy } from "./tool-policy.ts";
import type { ToolRegistry } from "./tool-registry.ts";

export interface ToolCallerParts {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  readonly log: Log;
  /** The hook of that name; one that throws refuses. */
  readonly beforeToolCall: (event: ToolCallEvent) => Promise<ToolRefusal | undefined>;
  /** The hook of that name, called only when the tool ran; one that throws is skipped. */
  readonly afterToolCall: (event: ToolCallEvent & { readonly result: ToolResult }) => Promise<ToolResult | undefined>;
  /** Whether a tool threw because the turn lost its lane: the one thing that is thrown on. */
  readonly isLaneLost: (thrown: unknown) => boolean;
}

/** What the calling session may use. */
export interface ToolScope {
  /** Its own and those of its parents. */
  readonly policies: readonly ToolPolicy[];
  readonly workspaceDir: string;
  readonly blockedPaths: readonly string[];
  readonly openPaths?: readonly string[];
  readonly caller: ToolTurn;
  readonly limits: ToolLimits;
  /** Of the turn. */
  readonly signal: AbortSignal;
  /** Asks a person. Rejects only when the lane is lost, or the turn was stopped meanwhile. */
  ask(request: PermissionRequest, name: string): Promise<PermissionVerdict>;
  /** Called right before the tool runs. Rejects only when the lane is lost. */
  begin(): Promise<void>;
}

/** Rejects only when the lane is lost, or the turn was stopped while a person was asked. */
export type ToolCaller = (event: ToolCallEvent, scope: ToolScope) => Promise<ToolResult>;

interface BrokenCall {
  readonly kind: "broken";
  readonly result: ToolResult;
}

export function createToolCaller(parts: ToolCallerParts): ToolCaller {
  return async (event, scope) => {
    const result = await callTool(parts, event, scope);
    return { ...result, text: cutToolOutput(result.text, scope.limits.outputLimitBytes) };
  };
}

async function callTool(parts: ToolCallerParts, event: ToolCallEvent, scope: ToolScope): Promise<ToolResult> {
  const { name, args } = event.call;
  const tool = parts.registry.find(name);
  if (tool === undefined || !isToolAllowed(name, scope.policies)) return unknownTool(parts.registry, name, scope);
  const prepared = prepare(parts, tool, args);
  if (prepared.kind === "broken") return prepared.result;
  if (prepared.kind === "invalid") return buildFailureResult(name, "invalid", prepared.problem);
  const refusal = await askBefore(parts, event);
  if (refusal !== undefined) return buildFailureResult(name, "refused", refusal.refused);
  const denied = await askPerson(event, scope);
  if (denied !== undefined) return buildFailureResult(name, "permission", denied);
  if (scope.signal.aborted) return buildFailureResult(name, "error", "the turn was stopped before it ran.");
  await scope.begin();
  const { workspaceDir, blockedPaths, openPaths = [], caller, limits } = scope;
  const end = await runWithinTime(parts.clock, resolveToolTimeoutMs(tool.timeoutMs, limits), scope.signal, (signal) =>
    prepared.run({ event, workspaceDir, blockedPaths, openPaths, caller, limits, signal }),
  );
  const result = resultOf(parts, tool, limits, end);
  const bounded = { ...result, text: cutToolOutput(result.text, limits.outputLimitBytes) };
  const answered = await askAfter(parts, { ...event, result: bounded });
  // A tap changes what the agent reads, not what the call has done.
  const { text, isError } = answered;
  const { endsTurn, says } = result;
  return { text, isError, ...(endsTurn === undefined ? {} : { endsTurn }), ...(says === undefined ? {} : { says }) };
}

/** Why it is not to run; behind the hooks, so that nobody is asked for what is refused anyway. */
async function askPerson({ agentId, call }: ToolCallEvent, scope: ToolScope): Promise<string | undefined> {
  if (!isAskedFor(call.name, scope.policies)) return undefined;
  return formatRefusal(await scope.ask(buildToolRequest(agentId, call), buildToolQuestionName(call)));
}

function prepare(parts: ToolCallerParts, tool: Tool, args: unknown): PreparedCall | BrokenCall {
  try {
    return tool.prepare(args);
  } catch (thrown) {
    return { kind: "broken", result: thrownResult(parts, tool.description.name, thrown) };
  }
}

/** A forbidden tool is as unknown as one that is not there: the agent was told of neither. */
function unknownTool(registry: ToolRegistry, name: string, scope: ToolScope): ToolResult {
  const names = registry.list(scope.policies).map((tool) => tool.name);
  const choice = names.length === 0 ? "You have no tools." : `Your tools are ${names.join(", ")}.`;
  return buildFailureResult(name.slice(0, 64).toWellFormed(), "refused", `there is no such tool for you. ${choice}`);
}

function resultOf(parts: ToolCallerParts, tool: Tool, limits: ToolLimits, end: TimedEnd<ToolResult>): ToolResult {
  const { name } = tool.description;
  const rest = tool.isRepeatable ? "" : " What it did until then stays done; check before you call it again.";
  switch (end.kind) {
    case "done":
      return end.value;
    case "timeout": {
      const seconds = resolveToolTimeoutMs(tool.timeoutMs, limits) / 1000;
      return buildFailureResult(name, "timeout", `it was not done after ${seconds} s; ask for less at once.${rest}`);
    }
    case "stopped":
      return buildFailureResult(name, "error", `the turn was stopped while it ran.${rest}`);
    case "threw":
      return thrownResult(parts, name, end.thrown);
  }
}

function thrownResult(parts: ToolCallerParts, name: string, thrown: unknown): ToolResult {
  if (parts.isLaneLost(thrown)) throw thrown;
  if (thrown instanceof ToolFailure) return buildFailureResult(name, thrown.kind, thrown.message);
  const system = parseSystemFailure(thrown);
  if (system !== undefined) return buildFailureResult(name, system.kind, system.sentence);
  parts.log.error({ tool: name, err: thrown }, "A tool threw what it should not.");
  return buildFailureResult(name, "error", "the tool is broken; the operator's log says why. Go on without it.");
}

async function askBefore(parts: ToolCallerParts, event: ToolCallEvent): Promise<ToolRefusal | undefined> {
  try {
    return await parts.beforeToolCall(event);
  } catch (cause) {
    parts.log.error({ tool: event.call.name, err: cause }, "The hook before_tool_call failed; the call is refused.");
    return { refused: "a check before the call failed; the operator's log says why." };
  }
}

async function askAfter(
  parts: ToolCallerParts,
  event: ToolCallEvent & { readonly result: ToolResult },
): Promise<ToolResult> {
  try {
    return (await parts.afterToolCall(event)) ?? event.result;
  } catch (cause) {
    parts.log.error({ tool: event.call.name, err: cause }, "The hook after_tool_call failed; it is skipped.");
    return event.result;
  }
}
