import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { takeTarget, unquoteTarget } from "../../../src/subagents/commands/command-target.ts";

describe("takeTarget", () => {
  it.each([
    ["1 hello there", "1", "hello there"],
    ['"words 1/3" go on', "words 1/3", "go on"],
    ["'words 1/3'   go on", "words 1/3", "go on"],
    ["“words 1/3” go", "words 1/3", "go"],
    ["„words 1/3“ go", "words 1/3", "go"],
    ['1 "quoted" and don\'t', "1", '"quoted" and don\'t'],
    ['"never closed', '"never', "closed"],
    ['"a"b c', '"a"b', "c"],
    ["1", "1", ""],
    ["", "", ""],
    ["1 two\nlines", "1", "two\nlines"],
  ])("takes %j apart", (line, target, text) => {
    expect(takeTarget(line)).toEqual({ target, text });
  });

  it("never throws, and invents nothing", () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        const { target, text } = takeTarget(line);
        return line.includes(target) && line.includes(text);
      }),
    );
  });
});

describe("unquoteTarget", () => {
  it.each([
    ["words 1/3", "words 1/3"],
    ['"words 1/3"', "words 1/3"],
    ["  2 ", "2"],
    ['"a" "b"', '"a" "b"'],
    ['"never closed', '"never closed'],
    ["", ""],
  ])("takes %j", (line, target) => {
    expect(unquoteTarget(line)).toBe(target);
  });
});
