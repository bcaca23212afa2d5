import type { ToolCall } from "../runtime/tool.ts";

export interface TurnStart {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly turnId: string;
}

/** Labelled data put before the input of one turn; never part of the system prompt. */
export interface TurnAdditions {
  readonly context: readonly { readonly label: string; readonly text: string }[];
}

export interface TurnEvent extends TurnStart {
  readonly outcome: "done" | "failed" | "stopped" | "quarantined";
  /** Milliseconds of this attempt. */
  readonly durationMs: number;
}

export interface ToolCallEvent {
  readonly sessionKey: string;
  readonly agentId: string;
  readonly turnId: string;
  readonly call: ToolCall;
}

/** Ends the call without running the tool; the agent sees the reason. */
export interface ToolRefusal {
  readonly refused: string;
}

export interface CompactionEvent {
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly reason: "manual" | "auto-threshold" | "overflow-retry" | "timeout-retry";
}
