/** What is recorded of tool calls: the audit, a log line for files, and the counts. */
import type { Log } from "@banyan/plugin-sdk";
import type { AuditRow, NewAudit } from "@banyan/store";
import type { CallEnd, CheckedCall, ToolCheck } from "../tool.ts";

/** People read an audit, so its texts are short. */
const MAX_TEXT_CHARS = 80;
const MAX_ARGS_CHARS = 400;
const MAX_WHY_CHARS = 200;
const MAX_LISTED = 20;

const ACTIONS = { begun: "tool-begun", done: "tool-done", failed: "tool-failed", refused: "tool-refused" } as const;

/** A line of the audit about a tool, as JSON in its `detail`. */
export interface ToolAudit {
  readonly session: string;
  readonly turn: string;
  readonly tool: string;
  /** The number of the call in its turn. */
  readonly ordinal: number;
  /** The platform's id of the person whose message caused the turn. */
  readonly person?: string;
  /** Shortened, and without secrets. */
  readonly args: string;
  /** Why it was refused, or how it failed. */
  readonly why?: string;
  readonly durationMs?: number;
}

/**
 * Records a line before a tool that writes or runs, one at its end and one for each refusal. The first is stored in the
 * step before the effect, the others with the call's result: a call without an end was interrupted.
 */
export const audit: ToolCheck = {
  name: "audit",
  priority: 5,
  begin(call) {
    if (call.tool?.effect !== undefined) call.scope.record(buildAudit(ACTIONS.begun, call, {}));
    return undefined;
  },
  settle(call, end) {
    const action = findAction(call, end);
    if (action === undefined) return;
    const why = end.result.isError ? { why: end.result.text.slice(0, MAX_WHY_CHARS).toWellFormed() } : {};
    call.scope.record(buildAudit(action, call, { ...why, durationMs: end.durationMs }));
  },
};

/** Parses a line about a tool; `undefined` for any other line. */
export function parseToolAudit({ action, detail }: Pick<AuditRow, "action" | "detail">): ToolAudit | undefined {
  const known: readonly string[] = Object.values(ACTIONS);
  if (!known.includes(action)) return undefined;
  // Core wrote it, so it is not validated again.
  const parsed: ToolAudit = JSON.parse(detail);
  return parsed;
}

function findAction({ tool }: CheckedCall, { kind, result }: CallEnd): string | undefined {
  switch (kind) {
    case "refused":
      return ACTIONS.refused;
    case "invalid":
      return tool?.effect === undefined ? undefined : ACTIONS.refused;
    case "ran":
      return tool?.effect === undefined ? undefined : result.isError ? ACTIONS.failed : ACTIONS.done;
    case "stopped":
      return undefined;
  }
}

function buildAudit(
  action: string,
  { event, scope }: CheckedCall,
  more: Pick<ToolAudit, "why" | "durationMs">,
): NewAudit {
  const { sessionKey, turnId, agentId, call } = event;
  const { person } = scope.caller;
  const detail: ToolAudit = {
    session: sessionKey,
    turn: turnId,
    tool: call.name.slice(0, MAX_TEXT_CHARS).toWellFormed(),
    ordinal: call.ordinal,
    ...(person === undefined ? {} : { person }),
    args: (JSON.stringify(shorten(call.args)) ?? "").slice(0, MAX_ARGS_CHARS).toWellFormed(),
    ...more,
  };
  return { actor: `agent ${agentId}`, action, detail: JSON.stringify(detail) };
}

/** Cuts each text and each list, and omits what is nested too deeply. */
function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    const left = value.length - MAX_TEXT_CHARS;
    return left <= 0 ? value : `${value.slice(0, MAX_TEXT_CHARS).toWellFormed()}… and ${left} more`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > 3) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_LISTED).map((item) => shorten(item, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_LISTED);
  return Object.fromEntries(entries.map(([key, item]) => [key.slice(0, MAX_TEXT_CHARS), shorten(item, depth + 1)]));
}

/** Logs a line for each call that touches files: which session, which files, how it ended. */
export function createFileAccessLog(log: Log): ToolCheck {
  return {
    name: "file access log",
    priority: 7,
    settle({ event, use }, { kind, durationMs, result }) {
      const { paths = [], command } = use;
      if (paths.length === 0 && command === undefined) return;
      const files = paths.map(({ path, access }) => `${access} ${path}`);
      const { sessionKey: session, call } = event;
      const outcome = kind === "ran" && result.isError ? "failed" : kind;
      const isWriting = command !== undefined || paths.some(({ access }) => access === "write");
      const line = { session, tool: call.name, files, outcome, durationMs };
      if (isWriting) log.info(line, "a tool works with files");
      else log.debug(line, "a tool reads files");
    },
  };
}

/** Tool calls since the gateway started, by how they ended. */
export interface ToolCounts {
  readonly done: number;
  readonly failed: number;
  readonly refused: number;
}

/** Counts each call once. The last of the chain, because it neither refuses nor changes anything. */
export function createCallCounter(): { readonly check: ToolCheck; readonly read: () => ToolCounts } {
  const counts = { done: 0, failed: 0, refused: 0 };
  return {
    check: {
      name: "call counter",
      priority: 1,
      settle(_call, { kind, result }) {
        if (kind === "ran") counts[result.isError ? "failed" : "done"] += 1;
        else if (kind !== "stopped") counts.refused += 1;
      },
    },
    read: () => ({ ...counts }),
  };
}
