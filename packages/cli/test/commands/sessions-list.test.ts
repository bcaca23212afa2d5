import { PassThrough } from "node:stream";
import type { SessionRow } from "@banyan/plugin-sdk/store";
import { expect, test } from "vitest";
import { formatSessionJson, formatSessions } from "../../src/commands/sessions-list.ts";

const ENTRY = { sessionId: "0f8fad5b-d9cb-469f-a165-70867728950e", sessionFile: "a.jsonl", updatedAt: 5 };

function row(key: string, change: object = {}): SessionRow {
  const body = JSON.stringify({ ...ENTRY, ...change });
  return { key, sessionId: ENTRY.sessionId, agentId: "main", file: "a.jsonl", revision: 1, updatedAtMs: 5_000, body };
}

function show(rows: readonly SessionRow[], total: number = rows.length): readonly string[] {
  return formatSessions(rows, { total, now: 17_000, stream: new PassThrough() });
}

test("each session is one line; what is not known is a dash", () => {
  const label = "a label\nof two lines that is longer than its column";
  expect(show([row("agent:main:main"), row("global", { label, messageCount: 12, totalTokens: 340 })])).toEqual([
    "  KEY              ID        LABEL                           MESSAGES  TOKENS  UPDATED",
    "  agent:main:main  0f8fad5b  -                               0         -       12 s ago",
    "  global           0f8fad5b  a label of two lines that is …  12        340     12 s ago",
  ]);
});

test("a sub-agent's session says whose it is", () => {
  const child = row("agent:main:subagent:5f0c", { spawnedBy: "agent:main:main" });
  expect(show([row("agent:main:main"), child])).toEqual([
    "  KEY                       ID        LABEL  MESSAGES  TOKENS  UPDATED   SUB-AGENT OF",
    "  agent:main:main           0f8fad5b  -      0         -       12 s ago",
    "  agent:main:subagent:5f0c  0f8fad5b  -      0         -       12 s ago  agent:main:main",
  ]);
});

test("what the limit leaves out is counted", () => {
  expect(show([row("global")], 3).at(-1)).toBe("  and 2 more: banyan sessions list --limit 3");
});

test("no session is said in a sentence", () => {
  expect(show([])).toEqual(["  no sessions yet: the first message opens one"]);
});

test("the document for scripts is the record with its key", () => {
  expect(formatSessionJson(row("global", { later: 1 }))).toEqual({
    key: "global",
    agentId: "main",
    ...ENTRY,
    later: 1,
  });
});
