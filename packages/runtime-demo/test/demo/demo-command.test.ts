import { expect, it } from "vitest";
import { parseDemoCommand } from "../../src/demo/demo-command.ts";

it.each([
  ["hello", { kind: "greeting" }],
  ["Hi!", { kind: "greeting" }],
  ["hello there", { kind: "other" }],
  ["help", { kind: "help" }],
  ["  Help! ", { kind: "help" }],
  ["status", { kind: "status" }],
  ["fail", { kind: "fail" }],
  ["calc 1 + 1", { kind: "calc", expression: "1 + 1" }],
  ["CALC\n2", { kind: "calc", expression: "2" }],
  ["calc", { kind: "calc", expression: "" }],
  ["count words in docs", { kind: "count-words", dir: "docs" }],
  ["Count words in docs//", { kind: "count-words", dir: "docs" }],
  ['count words in "my docs"', { kind: "count-words", dir: "my docs" }],
  ["count words in `docs`", { kind: "count-words", dir: "docs" }],
  ["count words", { kind: "count-words", dir: "." }],
  ["count words in /etc/", { kind: "count-words", dir: "/etc/" }],
  ["slow 10", { kind: "slow", seconds: 10 }],
  ["slow", { kind: "slow", seconds: 10 }],
  ["slow 600", { kind: "slow", seconds: 600 }],
  ["slow 601", { kind: "mistake", text: "slow takes whole seconds from 1 to 600; try slow 10." }],
  ["slow 0", { kind: "mistake", text: "slow takes whole seconds from 1 to 600; try slow 10." }],
  ["slow 1.5", { kind: "mistake", text: "slow takes whole seconds from 1 to 600; try slow 10." }],
  ["count words in docs part 2 of 3", { kind: "count-part", dir: "docs", part: 2, of: 3 }],
  ['count words in "my part 1 of 2" part 2 of 3', { kind: "count-part", dir: "my part 1 of 2", part: 2, of: 3 }],
  ["count words in docs part 4 of 3", { kind: "mistake", text: "There is no part 4 of 3." }],
  ["compare docs README.md", { kind: "compare", left: "docs", right: "README.md" }],
  ["compare 'my docs/' and .", { kind: "compare", left: "my docs", right: "." }],
  ["compare docs and README.md", { kind: "compare", left: "docs", right: "README.md" }],
  ["compare and with", { kind: "compare", left: "and", right: "with" }],
  ["compare docs", { kind: "mistake", text: "compare takes two files or folders; try compare docs README.md." }],
  ["compare a b c", { kind: "mistake", text: "compare takes two files or folders; try compare docs README.md." }],
  ["nest 5", { kind: "nest", level: 0, of: 5 }],
  ["nest level 2 of 3", { kind: "nest", level: 2, of: 3 }],
  ["nest 6", { kind: "mistake", text: "nest takes a number of levels from 1 to 5; try nest 2." }],
  ["nest level 3 of 2", { kind: "mistake", text: "nest takes a number of levels from 1 to 5; try nest 2." }],
  ["nest", { kind: "mistake", text: "nest takes a number of levels from 1 to 5; try nest 2." }],
  ["work slow", { kind: "work", command: { kind: "slow", seconds: 10 } }],
  ["work fail", { kind: "work", command: { kind: "fail" } }],
  ["Work count words in docs", { kind: "work", command: { kind: "count-words", dir: "docs" } }],
  ["work work fail", { kind: "other" }],
  ["work is hard", { kind: "other" }],
  ["calculate 1", { kind: "other" }],
  ["helpful", { kind: "other" }],
  ["what is banyan?", { kind: "other" }],
  ["", { kind: "other" }],
])("reads %j", (text, command) => {
  expect(parseDemoCommand(text)).toEqual(command);
});

it("refuses a directory that is no path, at once", () => {
  expect(parseDemoCommand(`count words in ${"/".repeat(100_000)}x`)).toEqual({
    kind: "mistake",
    text: "count words takes a directory of up to 1000 characters.",
  });
});

it("does not go deep into a sentence that only repeats itself", () => {
  expect(parseDemoCommand(`${"work ".repeat(100_000)}fail`)).toEqual({ kind: "other" });
});
