import type { Completion } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/store";
import { formatRunBody, type RunBody } from "../../src/runs/run-body.ts";
import { parseRunRow, type RunRecord } from "../../src/runs/run-record.ts";

export const ROOT = "agent:main:irc:dm:ada";
export const BORN = 1_000_000;

const BODY: RunBody = {
  task: "count words\nin docs",
  source: "tool",
  agentId: "main",
  mode: "run",
  cleanup: "keep",
  announce: "parent",
  expectsCompletionMessage: true,
  announceTimeoutMs: 600_000,
  depth: 1,
  sandbox: "off",
  workspaceDir: "/work",
  threadRequested: false,
  attachments: [],
};

export function childKey(runId: string): string {
  return `agent:main:subagent:${runId}`;
}

/** A run below the root, unless another is named. */
export function buildRow(
  runId: string,
  change: Partial<Omit<RunRow, "body" | "result">> & { readonly body?: Partial<RunBody> } = {},
): RunRow {
  const { body, ...row } = change;
  return {
    runId,
    dedupe: `call|${runId}`,
    childSessionKey: childKey(runId),
    requesterSessionKey: ROOT,
    rootSessionKey: ROOT,
    isAwaited: true,
    route: "irc/default/dm/ada",
    state: "running",
    createdAtMs: BORN,
    changedAtMs: BORN,
    ...row,
    body: formatRunBody({ ...BODY, ...body }),
  };
}

export function buildRun(...given: Parameters<typeof buildRow>): RunRecord {
  return parseRunRow(buildRow(...given));
}

/** The same, ended. */
export function endRow(row: RunRow, completion: Partial<Completion> = {}): RunRow {
  const { runId, childSessionKey } = row;
  const whole = { runId, childSessionKey, task: "count words", outcome: "done", result: "", durationMs: 300 };
  return {
    endedReason: "complete",
    ...row,
    state: "ended",
    endedAtMs: row.createdAtMs + 300,
    result: JSON.stringify({ ...whole, ...completion }),
  };
}
