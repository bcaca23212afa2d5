import { expect, it } from "vitest";
import { parseDemoCommand } from "../../src/demo/demo-command.ts";

it.each([
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
  ["slow 300", { kind: "slow", seconds: 300 }],
  ["slow 301", { kind: "mistake", text: "slow takes whole seconds from 1 to 300; try slow 10." }],
  ["slow 0", { kind: "mistake", text: "slow takes whole seconds from 1 to 300; try slow 10." }],
  ["slow 1.5", { kind: "mistake", text: "slow takes whole seconds from 1 to 300; try slow 10." }],
  ["slow", { kind: "mistake", text: "slow takes whole seconds from 1 to 300; try slow 10." }],
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
