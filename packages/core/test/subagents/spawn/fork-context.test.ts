import type { ContentPart, EntryKind, TranscriptEntry } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { parseEntry } from "../../../src/sessions/transcript.ts";
import { copyForkEntries, estimateTokens, FORK_LIMIT_TOKENS } from "../../../src/subagents/spawn/fork-context.ts";

let count = 0;
const createId = () => `new-${++count}`;

function entry(kind: EntryKind, role: TranscriptEntry["role"], part: ContentPart): TranscriptEntry {
  return { id: `old-${++count}`, seq: count, timestamp: 1_000, kind, role, content: [part] };
}
const ada = (text: string): TranscriptEntry => entry("message", "user", { type: "text", text });
const agent = (text: string): TranscriptEntry => entry("message", "assistant", { type: "text", text });
const call = (ordinal: number): TranscriptEntry =>
  entry("tool_call", "assistant", { type: "tool_call", ordinal, name: "read_file", args: { path: "a" } });
const result = (ordinal: number): TranscriptEntry =>
  entry("tool_result", "tool", { type: "tool_result", ordinal, name: "read_file", text: "one", isError: false });

const copy = (entries: readonly TranscriptEntry[]) => copyForkEntries(entries, createId).map((row) => parseEntry(row));
const contents = (entries: readonly TranscriptEntry[]) => entries.map(({ content }) => content);

it.each([
  [[], 0],
  [[ada("")], 4],
  [[ada("abcd")], 5],
  [[ada("abcde")], 6],
  [[ada("abcd"), agent("abcd")], 10],
  [[result(0)], 7],
])("takes %j for so many tokens", (entries, tokens) => {
  expect(estimateTokens(entries)).toBe(tokens);
});

it("copies what was said and done under new ids, as it stands", () => {
  const parent = [ada("Hello"), call(0), result(0), { ...agent("Hi"), model: "small", stopReason: "done" } as const];
  const copied = copyForkEntries(parent, createId);
  expect(contents(copied.map(parseEntry))).toEqual(contents(parent));
  expect(copied.map(({ id }) => id)).toEqual(copied.map(({ body }) => parseEntry({ body }).id));
  expect(copied.filter(({ id }) => parent.some((old) => old.id === id))).toEqual([]);
  expect(parseEntry(copied[3] ?? { body: "{}" })).toMatchObject({ kind: "message", model: "small", timestamp: 1_000 });
  expect(JSON.parse(copied[0]?.body ?? "")).not.toHaveProperty("seq");
});

it("leaves out what the host said of the parent's session", () => {
  const reset = entry("reset", "system", { type: "text", text: "A new conversation." });
  const notice = entry("notice", "system", { type: "text", text: "It was cut off." });
  const said = ada("Hello");
  expect(contents(copy([reset, said, notice]))).toEqual(contents([said]));
});

it("leaves out calls that have no result yet, whichever turn counted the same", () => {
  const entries = [ada("1"), call(0), result(0), agent("a"), ada("2"), call(0), call(1), result(1)];
  const kept = entries.filter((_, at) => at !== 5);
  expect(contents(copy(entries))).toEqual(contents(kept));
  const [asked, again, answered] = [call(0), call(0), result(0)];
  expect(contents(copy([asked, again, answered]))).toEqual(contents([again, answered]));
});

it("keeps the latest that fits, and begins with no result of a call that does not", () => {
  const long = ada("x".repeat((FORK_LIMIT_TOKENS - 20) * 4));
  const copied = copy([ada("gone"), call(0), result(0), long]);
  expect(contents(copied)).toEqual(contents([long]));
  expect(estimateTokens(copied)).toBeLessThanOrEqual(FORK_LIMIT_TOKENS);
});

it("copies a context of just the limit whole", () => {
  const entries = [ada("x".repeat(196)), agent("x".repeat((FORK_LIMIT_TOKENS - 57) * 4))];
  expect(estimateTokens(entries)).toBe(FORK_LIMIT_TOKENS);
  expect(copy(entries)).toHaveLength(2);
});
