/**
 * A tool call, stage by stage: known and allowed · arguments valid · the chain of hooks before it (`checks/`, a plugin's
 * `before_tool_call` among them) · a person asked, where policy or boundaries say so · run within its time · the chain
 * behind it (`after_tool_call`) · cut to its limit · settled. Every failure is a result the agent sees.
 */
import type { Clock, Log, ToolCallEvent, ToolResult } from "@banyan/plugin-sdk";
import { buildToolRequest, formatRefusal } from "../questions/tool-question.ts";
import { buildFailureResult, parseSystemFailure, ToolFailure } from "./failure.ts";
import { resolveToolTimeoutMs } from "./limits.ts";
import { cutToolOutput } from "./output.ts";
import { isAskedFor, isToolAllowed } from "./policy.ts";
import type { ToolRegistry } from "./registry.ts";
import type { CallEnd, CheckedCall, CheckVerdict, PreparedCall, Tool, ToolCheck, ToolScope } from "./tool.ts";

export interface ToolCallerParts {
  readonly registry: ToolRegistry;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes registered secrets out of a text. */
  readonly scrub: (text: string) => string;
  /** The hooks that stand now, in their order. */
  readonly listChecks: () => readonly ToolCheck[];
  /** Whether a tool threw because the turn lost its lane: the one thing that is thrown on. */
  readonly isLaneLost: (thrown: unknown) => boolean;
}

/** Rejects only when the lane is lost. */
export type ToolCaller = (event: ToolCallEvent, scope: ToolScope) => Promise<ToolResult>;

interface BrokenCall {
  readonly kind: "broken";
  readonly result: ToolResult;
}

type CallOutcome = Omit<CallEnd, "durationMs">;

export function createToolCaller(parts: ToolCallerParts): ToolCaller {
  return async (event, scope) => {
    const startedAt = parts.clock.monotonic();
    const { name, args } = event.call;
    const tool = findTool(parts, name, scope);
    const prepared = tool && prepare(parts, tool, args);
    const use = prepared?.kind === "ready" ? (prepared.use ?? {}) : {};
    const call: CheckedCall = { event, use, scope, ...(tool === undefined ? {} : { tool }) };
    const checks = parts.listChecks();
    const settle = (ended: CallOutcome) => {
      const end = { ...ended, durationMs: Math.round(parts.clock.monotonic() - startedAt) };
      for (const check of checks) check.settle?.(call, end);
    };
    try {
      const ended = await callTool(parts, call, checks, prepared);
      // Before it is cut, for half a secret is not known as one, and before the audit writes of it.
      const text = cutToolOutput(parts.scrub(ended.result.text), scope.limits.outputLimitBytes);
      const result = { ...ended.result, text };
      settle({ ...ended, result });
      return result;
    } catch (laneLost) {
      settle({ kind: "stopped", result: { text: "", isError: true } });
      throw laneLost;
    }
  };
}

async function callTool(
  parts: ToolCallerParts,
  call: CheckedCall,
  checks: readonly ToolCheck[],
  prepared: PreparedCall | BrokenCall | undefined,
): Promise<CallOutcome> {
  const { event, tool, scope } = call;
  const { name } = event.call;
  if (tool === undefined || prepared === undefined)
    return { kind: "refused", result: buildUnknownTool(parts.registry, name, scope) };
  if (prepared.kind === "broken") return { kind: "invalid", result: prepared.result };
  if (prepared.kind === "invalid")
    return { kind: "invalid", result: buildFailureResult(name, "invalid", prepared.problem) };
  const verdict = await runPreChecks(parts, call, checks);
  if (verdict?.kind === "refuse")
    return { kind: "refused", result: buildFailureResult(name, verdict.failure, verdict.why) };
  const denied = await askPerson(event, scope, verdict?.kind === "ask");
  if (denied !== undefined) return { kind: "refused", result: buildFailureResult(name, "permission", denied) };
  if (scope.signal.aborted)
    return { kind: "stopped", result: buildFailureResult(name, "error", "the turn was stopped before it ran.") };
  for (const check of checks) {
    const why = check.begin?.(call);
    if (why !== undefined) return { kind: "refused", result: buildFailureResult(name, "resource", why) };
  }
  await scope.begin();
  return { kind: "ran", result: await runTool(parts, call, tool, checks, prepared) };
}

async function runTool(
  parts: ToolCallerParts,
  call: CheckedCall,
  tool: Tool,
  checks: readonly ToolCheck[],
  prepared: Extract<PreparedCall, { kind: "ready" }>,
): Promise<ToolResult> {
  const { event, scope } = call;
  const { workspaceDir, blockedPaths, openPaths = [], boundaries = [], caller, limits } = scope;
  const { listReadOnlyPaths = () => [] } = scope;
  const around = { event, workspaceDir, blockedPaths, openPaths, listReadOnlyPaths, boundaries, caller, limits };
  const timeoutMs = Math.min(resolveToolTimeoutMs(tool.timeoutMs, limits), limits.mostMs ?? Number.POSITIVE_INFINITY);
  const end = await runWithinTime(parts.clock, timeoutMs + (tool.graceMs ?? 0), scope.signal, (signal) =>
    prepared.run({ ...around, signal }),
  );
  const whole = buildResult(parts, tool, timeoutMs, end);
  const result = { ...whole, text: parts.scrub(whole.text) };
  const answered = await runPostChecks(parts, call, checks, result);
  // A hook changes what the agent reads, not what the call has done.
  const { text, isError } = answered;
  const { endsTurn, says } = result;
  return { text, isError, ...(endsTurn === undefined ? {} : { endsTurn }), ...(says === undefined ? {} : { says }) };
}

/** Why it is not to run; behind the hooks, so that nobody is asked for what is refused anyway. */
async function askPerson(
  { agentId, call }: ToolCallEvent,
  scope: ToolScope,
  isWanted: boolean,
): Promise<string | undefined> {
  if (!isWanted && !isAskedFor(call.name, scope.policies)) return undefined;
  return formatRefusal(await scope.ask(buildToolRequest(agentId, call)));
}

/** A forbidden tool is as unknown as one that is not there. */
function findTool(parts: ToolCallerParts, name: string, scope: ToolScope): Tool | undefined {
  return isToolAllowed(name, scope.policies) ? parts.registry.find(name) : undefined;
}

function prepare(parts: ToolCallerParts, tool: Tool, args: unknown): PreparedCall | BrokenCall {
  try {
    return tool.prepare(args);
  } catch (thrown) {
    return { kind: "broken", result: buildThrownResult(parts, tool.description.name, thrown) };
  }
}

function buildUnknownTool(registry: ToolRegistry, name: string, scope: ToolScope): ToolResult {
  const names = registry.list(scope.policies).map((tool) => tool.name);
  const choice = names.length === 0 ? "You have no tools." : `Your tools are ${names.join(", ")}.`;
  return buildFailureResult(name.slice(0, 64).toWellFormed(), "refused", `there is no such tool for you. ${choice}`);
}

function buildResult(parts: ToolCallerParts, tool: Tool, timeoutMs: number, end: TimedEnd<ToolResult>): ToolResult {
  const { name } = tool.description;
  const rest = tool.isRepeatable ? "" : " What it did until then stays done; check before you call it again.";
  switch (end.kind) {
    case "done":
      return end.value;
    case "timeout":
      return buildFailureResult(
        name,
        "timeout",
        `it was not done after ${timeoutMs / 1000} s; ask for less at once.${rest}`,
      );
    case "stopped":
      return buildFailureResult(name, "error", `the turn was stopped while it ran.${rest}`);
    case "threw":
      return buildThrownResult(parts, name, end.thrown);
  }
}

function buildThrownResult(parts: ToolCallerParts, name: string, thrown: unknown): ToolResult {
  if (parts.isLaneLost(thrown)) throw thrown;
  if (thrown instanceof ToolFailure) return buildFailureResult(name, thrown.kind, thrown.message);
  const system = parseSystemFailure(thrown);
  if (system !== undefined) return buildFailureResult(name, system.kind, system.sentence);
  parts.log.error({ tool: name, err: thrown }, "A tool threw what it should not.");
  return buildFailureResult(name, "error", "the tool is broken; the operator's log says why. Go on without it.");
}

/** The first refusal; else `ask` where one of them wants it. */
async function runPreChecks(
  parts: ToolCallerParts,
  call: CheckedCall,
  checks: readonly ToolCheck[],
): Promise<CheckVerdict | undefined> {
  let asked: CheckVerdict | undefined;
  for (const check of checks) {
    const verdict = await runPreCheck(parts, call, check);
    if (verdict?.kind === "refuse") return verdict;
    asked ??= verdict;
  }
  return asked;
}

async function runPreCheck(
  parts: ToolCallerParts,
  call: CheckedCall,
  check: ToolCheck,
): Promise<CheckVerdict | undefined> {
  try {
    return await check.pre?.(call);
  } catch (cause) {
    if (cause instanceof ToolFailure) {
      const failure = cause.kind === "resource" ? "resource" : "permission";
      return { kind: "refuse", failure, why: cause.message };
    }
    const { name: tool } = call.event.call;
    parts.log.error({ tool, check: check.name, err: cause }, "A check before a tool call failed; the call is refused.");
    const why = "a check before the call failed; the operator's log says why.";
    return { kind: "refuse", failure: "refused", why };
  }
}

async function runPostChecks(
  parts: ToolCallerParts,
  call: CheckedCall,
  checks: readonly ToolCheck[],
  ranResult: ToolResult,
): Promise<ToolResult> {
  let result = ranResult;
  for (const check of checks) {
    try {
      result = (await check.post?.(call, result)) ?? result;
    } catch (cause) {
      const { name: tool } = call.event.call;
      parts.log.error({ tool, check: check.name, err: cause }, "A check behind a tool call failed; it is skipped.");
    }
  }
  return result;
}

export type TimedEnd<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "threw"; readonly thrown: unknown }
  | { readonly kind: "timeout" | "stopped" };

/**
 * Runs something until it ends, the time is over, or `stop` aborts, whichever is first. What it does afterwards is
 * ignored; its own signal tells it to leave.
 */
export function runWithinTime<T>(
  clock: Clock,
  timeoutMs: number,
  stop: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<TimedEnd<T>> {
  const running = new AbortController();
  return new Promise<TimedEnd<T>>((resolve) => {
    const settle = (end: TimedEnd<T>) => {
      cancel();
      stop.removeEventListener("abort", onStop);
      resolve(end);
      running.abort();
    };
    const onStop = () => settle({ kind: "stopped" });
    const cancel = clock.schedule(timeoutMs, () => settle({ kind: "timeout" }));
    stop.addEventListener("abort", onStop, { once: true });
    if (stop.aborted) return onStop();
    const start = async () => run(running.signal);
    start().then(
      (value) => settle({ kind: "done", value }),
      (thrown: unknown) => settle({ kind: "threw", thrown }),
    );
  });
}
