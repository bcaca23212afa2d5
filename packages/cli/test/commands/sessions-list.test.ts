import { PassThrough } from "node:stream";
import type { QueueState } from "@banyan/core";
import type { SessionRow } from "@banyan/store";
import { expect, test } from "vitest";
import { formatSessionJson, formatSessions } from "../../src/commands/sessions-list.ts";

const IDLE: QueueState = { backlog: [] };
const ENTRY = { sessionId: "0f8fad5b-d9cb-469f-a165-70867728950e", sessionFile: "a.jsonl", updatedAt: 5 };

function row(key: string, change: object = {}): SessionRow {
  const body = JSON.stringify({ ...ENTRY, ...change });
  return { key, sessionId: ENTRY.sessionId, agentId: "main", file: "a.jsonl", revision: 1, updatedAtMs: 5_000, body };
}

function show(rows: readonly SessionRow[], total: number = rows.length, queue: QueueState = IDLE): readonly string[] {
  return formatSessions(
    rows.map((row) => ({ row, queue })),
    { total, now: 17_000, stream: new PassThrough() },
  );
}

test("each session is one line; what is not known is a dash", () => {
  const label = "a label\nof two lines that is longer than its column";
  expect(show([row("agent:main:main"), row("global", { label, messageCount: 12, totalTokens: 340 })])).toEqual([
    "  KEY              ID        LABEL                           MESSAGES  TOKENS  STATE  WAITING  UPDATED",
    "  agent:main:main  0f8fad5b  -                               0         -       idle   0        12 s ago",
    "  global           0f8fad5b  a label of two lines that is …  12        340     idle   0        12 s ago",
  ]);
});

test("a sub-agent's session says whose it is", () => {
  const child = row("agent:main:subagent:5f0c", { spawnedBy: "agent:main:main" });
  expect(show([row("agent:main:main"), child])).toEqual([
    "  KEY                       ID        LABEL  MESSAGES  TOKENS  STATE  WAITING  UPDATED   SUB-AGENT OF",
    "  agent:main:main           0f8fad5b  -      0         -       idle   0        12 s ago",
    "  agent:main:subagent:5f0c  0f8fad5b  -      0         -       idle   0        12 s ago  agent:main:main",
  ]);
});

test("how its turn stands, and what waits behind it", () => {
  const backlog = [
    { seq: 1, kind: "message", state: "dispatched" },
    { seq: 2, kind: "message", state: "queued" },
  ] as const;
  const [, line] = show([row("global")], 1, { turn: "executing", cut: "recovery_mode", backlog });
  expect(line).toMatch(/ executing, recovery_mode {2}1 /);
});

test("a turn that was active at repeated crashes is marked", () => {
  const [, line] = show([row("global")], 1, { turn: "executing", isSuspect: true, backlog: [] });
  expect(line).toMatch(/ executing, suspect {2}0 /);
});

test("what the limit leaves out is counted", () => {
  expect(show([row("global")], 3).at(-1)).toBe("  and 2 more: banyan sessions list --limit 3");
});

test("no session is said in a sentence", () => {
  expect(show([])).toEqual(["  no sessions yet: the first message opens one"]);
});

test("the document for scripts is the record with its key", () => {
  expect(formatSessionJson({ row: row("global", { later: 1 }), queue: IDLE })).toEqual({
    key: "global",
    agentId: "main",
    ...ENTRY,
    later: 1,
    queue: IDLE,
  });
});
