import type { RunRecord } from "../../runs/run-record.ts";
import type { ToolContext } from "../../tools/tool.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import type { ToolAnswer } from "../tools/tool-answer.ts";

/** A call of `subagents` with all that its action works on. */
export interface DirectingCall {
  /** What stands below the caller, as a listing numbers it. */
  readonly listed: readonly RunRecord[];
  /** The ones that are meant; all of `listed` with `list`. */
  readonly runs: readonly RunRecord[];
  readonly text?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly context: ToolContext;
}

export type RunAction = (call: DirectingCall, parts: SubagentParts) => Promise<ToolAnswer>;
