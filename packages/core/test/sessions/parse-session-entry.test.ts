import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { parseSessionEntry } from "../../src/sessions/parse-session-entry.ts";

const ENTRY = { sessionId: "0f8fad5b-d9cb-469f-a165-70867728950e", sessionFile: "f.jsonl", updatedAt: 1 };

describe("parseSessionEntry", () => {
  it("keeps unknown fields, on every level, and changes nothing", () => {
    const written = {
      ...ENTRY,
      fromLater: { deep: [1, null] },
      origin: { provider: "irc", alsoLater: true },
      acp: { anything: 1 },
      context: { a: { b: 1 } },
      status: "done",
      estimatedCostUsd: 0.25,
    };
    expect(parseSessionEntry(JSON.stringify(written))).toEqual(written);
  });

  it.each<[string, object]>([
    ["no id", { sessionId: undefined }],
    ["an id that is no uuid", { sessionId: "1" }],
    ["no file", { sessionFile: "" }],
    ["no time", { updatedAt: undefined }],
    ["a time in words", { updatedAt: "now" }],
    ["a negative count", { messageCount: -1 }],
    ["half a token", { inputTokens: 0.5 }],
    ["an unknown status", { status: "resting" }],
    ["an unknown role", { subagentRole: "king" }],
    ["a context that is a list", { context: [] }],
    ["extensions that are text", { pluginExtensions: { irc: "x" } }],
  ])("refuses %s", (_name, more) => {
    expect(() => parseSessionEntry(JSON.stringify({ ...ENTRY, ...more }))).toThrow(ZodError);
  });

  it.each(["", "{", "null", "[]", '"text"'])("refuses %j", (body) => {
    expect(() => parseSessionEntry(body)).toThrow();
  });
});
