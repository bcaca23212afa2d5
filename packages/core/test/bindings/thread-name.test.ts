import { describe, expect, it } from "vitest";
import {
  formatGoodbye,
  formatHello,
  LONGEST_NAME_CHARS,
  nameClosedThread,
  nameThread,
} from "../../src/bindings/thread-name.ts";

describe("a thread's name", () => {
  it.each<[string, string | undefined, string, string]>([
    ["a label", "census", "count", "census"],
    ["a label over lines and blanks", "  the \t great\u00a0 census\nof trees", "count", "the great census"],
    ["a blank label", " \n ", "count", "count"],
    ["no label", undefined, "count the trees\nand more", "count the trees"],
    ["neither", undefined, " \n ", "sub-agent"],
    ["a label of just the limit", "x".repeat(100), "count", "x".repeat(100)],
    ["a label over the limit", "x".repeat(101), "count", `${"x".repeat(99)}…`],
    ["a long task", undefined, "y".repeat(5_000), `${"y".repeat(59)}…`],
    ["a cut through a character", `${"x".repeat(98)}🌱🌱`, "count", `${"x".repeat(98)}…`],
    ["half a character", "a\ud83cb", "count", "a\ufffdb"],
  ])("from %s", (_name, label, task, expected) => {
    const name = nameThread({ task, ...(label === undefined ? {} : { label }) }, "label");
    expect(name).toBe(expected);
    expect(name.length).toBeLessThanOrEqual(LONGEST_NAME_CHARS);
  });

  it.each([
    ["done", "✅ census"],
    ["failed", "❌ census"],
    ["interrupted", "❌ census"],
    ["timeout", "⏱ census"],
    ["killed", "⏹ census"],
  ] as const)("says in the end that the run is %s", (outcome, expected) => {
    expect(nameClosedThread("census", outcome)).toBe(expected);
  });

  it("is still short enough with the mark", () => {
    const name = nameClosedThread("x".repeat(100), "done");
    expect(name).toHaveLength(LONGEST_NAME_CHARS);
    expect(name.endsWith("x…")).toBe(true);
  });
});

it.each([
  ["done", "✅ “census” is done and has left this thread."],
  ["failed", "❌ “census” has failed and has left this thread."],
  ["interrupted", "❌ “census” was cut off and has left this thread."],
  ["timeout", "⏱ “census” ran out of time and has left this thread."],
  ["killed", "⏹ “census” was stopped and has left this thread."],
  [undefined, "🍂 The sub-agent has left this thread."],
] as const)("the last line of a thread tells the run's end: %s", (outcome, expected) => {
  expect(formatGoodbye("census", outcome)).toBe(expected);
});

it("the first and the last line show a name as it is: no mention, no link", () => {
  const shown = "\\<@1\\> \\[x\\](https://e.org) \\&lt;@1\\&gt;";
  const name = "<@1> [x](https://e.org) &lt;@1&gt;";
  expect(formatHello(name)).toBe(`🌱 “${shown}” works here; write to it.`);
  expect(formatGoodbye(name, "done")).toBe(`✅ “${shown}” is done and has left this thread.`);
});
