import type { SessionSpec, StopReason, TurnMessage, Usage } from "@banyan/plugin-sdk";
import type { LiveTurn, TurnEnd } from "@banyan/plugin-sdk/runtime";
import type { Gate } from "./gate.ts";

export type ScriptStep =
  | { readonly step: "say"; readonly text: string }
  | { readonly step: "call"; readonly tool: string; readonly args: unknown }
  | { readonly step: "wait"; readonly gate: Gate; readonly isDeaf: boolean }
  | { readonly step: "take-steer" }
  | { readonly step: "report"; readonly usage: Usage }
  | { readonly step: "end"; readonly end: TurnEnd };

/** A turn as a script sees it. */
export interface ScriptTurn extends LiveTurn {
  readonly spec: SessionSpec;
  /** Counted from 0 over the turns of this session key; the attempts of one turn share it. */
  readonly index: number;
  /** Waits for the next steered message and tells its sender `delivered`. Only where the runtime steers. */
  takeSteer(): Promise<TurnMessage>;
}

/** What one turn does: steps, or a function with full control. Without an end of its own it ends as done. */
export type TurnScript = readonly ScriptStep[] | ((turn: ScriptTurn) => Promise<TurnEnd | undefined>);

/** One script a turn, played by each session from the first on; or a function that is asked at each attempt. */
export type Script = readonly TurnScript[] | ((turn: ScriptTurn) => TurnScript);

/** Text of the answer, one chunk each. */
export function say(...chunks: readonly string[]): ScriptStep[] {
  return chunks.map((text) => ({ step: "say", text }));
}

export function call(tool: string, args: unknown = {}): ScriptStep {
  return { step: "call", tool, args };
}

/** Stands before the gate until it opens or the turn is aborted. */
export function wait(gate: Gate): ScriptStep {
  return { step: "wait", gate, isDeaf: false };
}

/** Stands before the gate and does not hear an abort: a runtime that hangs until the test lets it go. */
export function hang(gate: Gate): ScriptStep {
  return { step: "wait", gate, isDeaf: true };
}

/** Waits for a steered message and says its text. */
export function takeSteer(): ScriptStep {
  return { step: "take-steer" };
}

export function report(usage: Usage): ScriptStep {
  return { step: "report", usage };
}

export function fail(message: string): ScriptStep {
  return { step: "end", end: { reason: "error", error: { isRetryable: false, message } } };
}

export function failRetryably(message: string): ScriptStep {
  return { step: "end", end: { reason: "error", error: { isRetryable: true, message } } };
}

export function end(reason: StopReason = "done"): ScriptStep {
  return { step: "end", end: { reason } };
}
