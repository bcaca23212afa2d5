/**
 * Runs a tool call, stage by stage: find the tool · validate the arguments · run the checks before it (`checks/`, with the
 * plugins' taps on `before_tool_call`) · ask a person, if a policy or a boundary requires it · run the tool within its time ·
 * run the checks after it (with `after_tool_call`) · cut the result to its limit · settle. The agent gets each failure as a
 * result.
 */
import type { Clock, ToolCallEvent, ToolResult } from "@banyan/plugin-sdk";
import type { Ports } from "../ports/ports.ts";
import { buildToolRequest, formatRefusal } from "../questions/tool-question.ts";
import { buildFailureResult, parseSystemFailure, ToolFailure, type ToolFailureKind } from "./failure.ts";
import { resolveToolTimeoutMs } from "./limits.ts";
import { cutToolOutput } from "./output.ts";
import { isAskedFor, isToolAllowed } from "./policy.ts";
import type { ToolRegistry } from "./registry.ts";
import type { CallEnd, CheckedCall, CheckVerdict, PreparedCall, Tool, ToolCheck, ToolScope } from "./tool.ts";

export interface ToolCallerParts extends Pick<Ports, "clock" | "log" | "scrub"> {
  readonly registry: ToolRegistry;
  /** The checks at this moment, in their order. */
  readonly listChecks: () => readonly ToolCheck[];
  /** Whether a tool threw because the turn lost its lane: the only error that is thrown to the caller. */
  readonly isLaneLost: (thrown: unknown) => boolean;
}

/** Rejects only when the lane is lost. */
export type ToolCaller = (event: ToolCallEvent, scope: ToolScope) => Promise<ToolResult>;

type ReadyCall = Extract<PreparedCall, { kind: "ready" }>;
type CallOutcome = Omit<CallEnd, "durationMs">;

/** A call with what its stages need. */
interface OpenCall extends CheckedCall {
  readonly parts: ToolCallerParts;
  readonly checks: readonly ToolCheck[];
  /** Absent: the agent has no such tool. */
  readonly prepared?: PreparedCall | { readonly kind: "broken"; readonly result: ToolResult };
}

export function createToolCaller(parts: ToolCallerParts): ToolCaller {
  return async (event, scope) => {
    const startedAt = parts.clock.monotonic();
    const call = openCall(parts, event, scope);
    const settle = (outcome: CallOutcome) => {
      const end = { ...outcome, durationMs: Math.round(parts.clock.monotonic() - startedAt) };
      for (const check of call.checks) check.settle?.(call, end);
    };
    try {
      const outcome = await runStages(call);
      // Before the cut, because a part of a secret is not recognized, and before the audit stores the text.
      const text = cutToolOutput(parts.scrub(outcome.result.text), scope.limits.outputLimitBytes);
      const result = { ...outcome.result, text };
      settle({ ...outcome, result });
      return result;
    } catch (laneLost) {
      settle({ kind: "stopped", result: { text: "", isError: true } });
      throw laneLost;
    }
  };
}

/** A forbidden tool is as unknown as one that does not exist. */
function openCall(parts: ToolCallerParts, event: ToolCallEvent, scope: ToolScope): OpenCall {
  const { name, args } = event.call;
  const tool = isToolAllowed(name, scope.policies) ? parts.registry.find(name) : undefined;
  const open = { parts, event, scope, checks: parts.listChecks() };
  if (tool === undefined) return { ...open, use: {} };
  const prepared = prepare(parts, tool, args);
  const use = prepared.kind === "ready" ? (prepared.use ?? {}) : {};
  return { ...open, tool, prepared, use };
}

function prepare(parts: ToolCallerParts, tool: Tool, args: unknown): NonNullable<OpenCall["prepared"]> {
  try {
    return tool.prepare(args);
  } catch (thrown) {
    return { kind: "broken", result: buildThrownResult(parts, tool.description.name, thrown) };
  }
}

async function runStages(call: OpenCall): Promise<CallOutcome> {
  const { event, scope, tool, prepared, checks } = call;
  if (tool === undefined || prepared === undefined) return { kind: "refused", result: buildUnknownTool(call) };
  if (prepared.kind === "broken") return { kind: "invalid", result: prepared.result };
  if (prepared.kind === "invalid") return fail(call, "invalid", "invalid", prepared.problem);
  const verdict = await runChecksBefore(call);
  if (verdict?.kind === "refuse") return fail(call, "refused", verdict.failure, verdict.why);
  if (verdict?.kind === "ask" || isAskedFor(event.call.name, scope.policies)) {
    const denied = formatRefusal(await scope.ask(buildToolRequest(event.agentId, event.call)));
    if (denied !== undefined) return fail(call, "refused", "permission", denied);
  }
  if (scope.signal.aborted) return fail(call, "stopped", "error", "the turn was stopped before it ran.");
  for (const check of checks) {
    const why = check.begin?.(call);
    if (why !== undefined) return fail(call, "refused", "resource", why);
  }
  await scope.begin();
  return { kind: "ran", result: await runTool(call, tool, prepared) };
}

/** Returns the first refusal; else `ask` if one of the checks wants it. */
async function runChecksBefore(call: OpenCall): Promise<CheckVerdict | undefined> {
  let asked: CheckVerdict | undefined;
  for (const check of call.checks) {
    const verdict = await runCheckBefore(call, check);
    if (verdict?.kind === "refuse") return verdict;
    asked ??= verdict;
  }
  return asked;
}

async function runCheckBefore(call: OpenCall, check: ToolCheck): Promise<CheckVerdict | undefined> {
  try {
    return await check.pre?.(call);
  } catch (cause) {
    if (cause instanceof ToolFailure) {
      const failure = cause.kind === "resource" ? "resource" : "permission";
      return { kind: "refuse", failure, why: cause.message };
    }
    logBrokenCheck(call, check, cause, "A check before a tool call failed; the call is refused.");
    const why = "a check before the call failed; the operator's log says why.";
    return { kind: "refuse", failure: "refused", why };
  }
}

async function runTool(call: OpenCall, tool: Tool, prepared: ReadyCall): Promise<ToolResult> {
  const { parts, event, scope } = call;
  const { workspaceDir, blockedPaths, openPaths, listReadOnlyPaths, boundaries, caller, limits } = scope;
  const context = { event, workspaceDir, blockedPaths, openPaths, listReadOnlyPaths, boundaries, caller, limits };
  const timeoutMs = resolveToolTimeoutMs(tool.timeoutMs, limits);
  const end = await runWithinTime(parts.clock, timeoutMs + (tool.graceMs ?? 0), scope.signal, (signal) =>
    prepared.run({ ...context, signal }),
  );
  const whole = buildResult(call, tool, timeoutMs, end);
  const result = { ...whole, text: parts.scrub(whole.text) };
  // A check changes what the agent reads, not what the call has done.
  const { text, isError } = await runChecksAfter(call, result);
  const { endsTurn, says } = result;
  return { text, isError, ...(endsTurn === undefined ? {} : { endsTurn }), ...(says === undefined ? {} : { says }) };
}

async function runChecksAfter(call: OpenCall, ranResult: ToolResult): Promise<ToolResult> {
  let result = ranResult;
  for (const check of call.checks) {
    try {
      result = (await check.post?.(call, result)) ?? result;
    } catch (cause) {
      logBrokenCheck(call, check, cause, "A check after a tool call failed; it is skipped.");
    }
  }
  return result;
}

function logBrokenCheck({ parts, event }: OpenCall, check: ToolCheck, cause: unknown, sentence: string): void {
  parts.log.error({ tool: event.call.name, check: check.name, err: cause }, sentence);
}

function fail(
  { event }: OpenCall,
  kind: "refused" | "invalid" | "stopped",
  failure: ToolFailureKind,
  sentence: string,
): CallOutcome {
  return { kind, result: buildFailureResult(event.call.name, failure, sentence) };
}

function buildUnknownTool({ parts, event, scope }: OpenCall): ToolResult {
  const names = parts.registry.list(scope.policies).map((tool) => tool.name);
  const choice = names.length === 0 ? "You have no tools." : `Your tools are ${names.join(", ")}.`;
  const name = event.call.name.slice(0, 64).toWellFormed();
  return buildFailureResult(name, "refused", `there is no such tool for you. ${choice}`);
}

function buildResult({ parts }: OpenCall, tool: Tool, timeoutMs: number, end: TimedEnd<ToolResult>): ToolResult {
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

type TimedEnd<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "threw"; readonly thrown: unknown }
  | { readonly kind: "timeout" | "stopped" };

/**
 * Runs a function until it ends, its time is over or `stop` aborts, whichever is first. What it does afterwards is ignored;
 * then its own signal aborts.
 */
function runWithinTime<T>(
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
