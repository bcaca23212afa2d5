import type { TranscriptEntry } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { formatEntryLines } from "../../src/terminal/entry-lines.ts";

const BASE = { id: "1", seq: 1, timestamp: Date.UTC(2026, 0, 2, 3, 4, 5) };

test.each<[string, Omit<TranscriptEntry, "id" | "seq" | "timestamp">, readonly string[]]>([
  [
    "a message by its sender, further lines indented",
    {
      kind: "message",
      role: "user",
      sender: { id: "7", displayName: "Ada" },
      content: [{ type: "text", text: "a\nb" }],
    },
    ["  2026-01-02 03:04:05  Ada: a", "    b"],
  ],
  [
    "an answer without escape sequences",
    { kind: "message", role: "assistant", content: [{ type: "text", text: "\u001b[2Jhi\n" }] },
    ["  2026-01-02 03:04:05  assistant: hi"],
  ],
  [
    "a tool call by name and arguments",
    {
      kind: "tool_call",
      role: "assistant",
      content: [{ type: "tool_call", ordinal: 0, name: "read", args: { a: 1 } }],
    },
    ['  2026-01-02 03:04:05  tool call: read {"a":1}'],
  ],
  [
    "a tool's failure",
    {
      kind: "tool_result",
      role: "tool",
      content: [{ type: "tool_result", ordinal: 0, name: "read", text: "no\nfile", isError: true }],
    },
    ["  2026-01-02 03:04:05  tool result: read failed: no file"],
  ],
  [
    "what an attempt had used that is made again",
    { kind: "usage", role: "assistant", content: [], usage: { inputTokens: 300, outputTokens: 20 } },
    ["  2026-01-02 03:04:05  usage: 300 tokens read and 20 written, by an attempt that the gateway's stop cut short"],
  ],
])("shows %s", (_name, entry, lines) => {
  expect(formatEntryLines({ ...BASE, ...entry })).toEqual(lines);
});
