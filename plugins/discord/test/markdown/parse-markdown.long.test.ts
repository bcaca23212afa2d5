import { EMPHASIS_LIMIT_RUNS, NESTING_LIMIT_MARKERS, SOURCE_LIMIT_UNITS } from "@banyan/markdown";
import { describe, expect, test } from "vitest";
import { measureMarkdown } from "../../src/markdown/measure-markdown.ts";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";
import { measureCpuRatio } from "../cpu-ratio.ts";

describe("limits", () => {
  test.each([
    ["the length of the source", (over: number) => `${"a".repeat(SOURCE_LIMIT_UNITS - 6 + over)} __b__`],
    ["nested quotes", (over: number) => `${">".repeat(NESTING_LIMIT_MARKERS + over)}__b__`],
    ["nested lists", (over: number) => `${"1. ".repeat(NESTING_LIMIT_MARKERS + over)}__b__`],
    ["emphasis", (over: number) => `__b__ ${"* ".repeat(EMPHASIS_LIMIT_RUNS - 2 + over)}`],
  ])("%s: sent as it is above", (_name, build) => {
    expect(renderMarkdown(build(0))).toContain("**b**");
    expect(renderMarkdown(build(1))).toBe(build(1).trimEnd());
  });

  const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const inline = [
    "*",
    "**a ",
    "*a_ ",
    "_",
    "[",
    "[a](",
    "](b)",
    "![",
    "`",
    "`a``",
    "~~",
    "~~a ",
    "|",
    "\\",
    "&amp;",
    "<",
  ];
  const names = ["https://", "https://*a*", "https://a.example/_x_", "<:a", "<:*a*", "@everyone", "http://.", "a_"];
  const lines = [
    ">",
    "> ",
    "- ",
    "1. ",
    "> - ",
    "\n",
    ">\n",
    "- a\n",
    "```\n",
    "|a|b|\n",
    "a|b\n-|-\n",
    "# ",
    "\0",
    "\ud83d",
  ];
  const message = fill(
    "Hello **world**, see [this page](https://a.example/b) and `code`.\n- one\n- *two*\n\n",
    SOURCE_LIMIT_UNITS,
  );
  /** In ordinary messages of the longest that are parsed. */
  const measureCost = (source: string): number =>
    measureCpuRatio(
      () => renderMarkdown(source),
      () => renderMarkdown(message),
    );
  test.each([...inline, ...names, ...lines])("a bomb of %j takes no longer than many long messages", (unit) => {
    // In order: where a limit is missing, the first to fail spares the next, which would take minutes.
    expect(measureCost(fill(unit, 8 * SOURCE_LIMIT_UNITS))).toBeLessThan(2);
    expect(measureCost(fill(unit, 1_000_000))).toBeLessThan(5);
    // The worst are ten messages or so: the parser is quadratic in these.
    expect(measureCost(fill(unit, SOURCE_LIMIT_UNITS))).toBeLessThan(50);
    expect(measureCost(`>a\n${fill(unit, SOURCE_LIMIT_UNITS - 3)}`)).toBeLessThan(50);
  });

  test.each([
    ["stars", "*a ".repeat(2700)],
    ["brackets", "[".repeat(8000)],
    ["backticks", "`a``".repeat(2000)],
    ["backslashes", "\\".repeat(8000)],
    ["quotes", "> ".repeat(15).concat("a\n").repeat(250)],
  ])("the longest text that is measured, all %s, takes no longer than ten ordinary ones", (_what, source) => {
    expect(measureMarkdown(source)).toBeGreaterThan(0);
    expect(measureCost(source)).toBeLessThan(10);
  });

  test("emphasis nested as deep as the limit allows is sent", () => {
    const depth = EMPHASIS_LIMIT_RUNS / 2;
    const sent = renderMarkdown(`${"*a ".repeat(depth)}${" b*".repeat(depth)}`);
    expect(sent.match(/[ab]/g)).toHaveLength(2 * depth);
  });
});
