import type { ToolCallEvent, ToolResult } from "@banyan/plugin-sdk";
import type { Tool, ToolUse } from "../tool.ts";
import type { ToolScope } from "../tool-scope.ts";

/** A call as the hooks of the chain see it. */
export interface CheckedCall {
  readonly event: ToolCallEvent;
  /** Absent: the agent has no such tool. */
  readonly tool?: Tool;
  readonly use: ToolUse;
  readonly scope: ToolScope;
}

/** How a call ended: not at all (`refused`, `invalid`, `stopped`), or by its own result. */
export interface CallEnd {
  readonly kind: "refused" | "invalid" | "stopped" | "ran";
  readonly result: ToolResult;
  readonly durationMs: number;
}

/** What a hook says before a call: that it is refused, or that a person must allow it. */
export type CheckVerdict =
  | { readonly kind: "refuse"; readonly failure: "refused" | "permission" | "resource"; readonly why: string }
  | { readonly kind: "ask" };

/**
 * One hook of the chain that every tool call passes, the host's own or a plugin's taps. Called in the order of the
 * priorities, the larger first. What it throws before a call refuses it; what it throws afterwards is logged.
 */
export interface ToolCheck {
  readonly name: string;
  /** 1 to 10. */
  readonly priority: number;
  /** Before anybody is asked. The first refusal ends the call. */
  readonly pre?: (call: CheckedCall) => CheckVerdict | undefined | Promise<CheckVerdict | undefined>;
  /** Right before the tool runs; what it says is the last word, and a refusal. */
  readonly begin?: (call: CheckedCall) => string | undefined;
  /** When the tool ran: another result. */
  readonly post?: (call: CheckedCall, result: ToolResult) => ToolResult | undefined | Promise<ToolResult | undefined>;
  /** However the call ended; once for each. Must not throw. */
  readonly settle?: (call: CheckedCall, end: CallEnd) => void;
}

/** The order of the chain. Of two alike the first stays first. */
export function sortChecks(checks: readonly ToolCheck[]): readonly ToolCheck[] {
  return checks.toSorted((one, other) => other.priority - one.priority);
}
