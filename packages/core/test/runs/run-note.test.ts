import { describe, expect, it } from "vitest";
import { buildRunNote, findLastLine } from "../../src/runs/run-note.ts";

describe("the last line of a text", () => {
  it.each([
    ["is its only one", "hello", "hello"],
    ["is what grows", "Counting: 4 files.\n2 of 4 files: 2,0", "2 of 4 files: 2,0"],
    ["is not a blank one", "Counting.\n12 words.\n \n\n", "12 words."],
    ["is not one of markup alone", "```\ncode\n```\n---", "code"],
    ["may be a sign", "done\n👍", "👍"],
    ["is shown on one line, without control characters", "a\n  b\u001b[31m\tc\u0007", "b c"],
    ["is cut where it is long", `x\n${"y".repeat(600)}`, "y".repeat(500)],
    ["is nothing of nothing", " \n", ""],
    ["is nothing of markup", "---", ""],
  ])("%s", (_name, text, line) => {
    expect(findLastLine(text)).toBe(line);
  });
});

it("an ended run says how it failed, or the last line of its result", () => {
  expect(buildRunNote({ result: "Counting part 1 of 3.\n4,210 words in 3 files." })).toBe("4,210 words in 3 files.");
  expect(buildRunNote({ result: "half", error: "no luck\nat line 3" })).toBe("no luck");
});
