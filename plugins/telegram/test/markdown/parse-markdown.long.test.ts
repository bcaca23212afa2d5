import { EMPHASIS_LIMIT_RUNS, NESTING_LIMIT_MARKERS, SOURCE_LIMIT_UNITS } from "@banyan/markdown";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";
import { ENTITY_LIMIT } from "../../src/markdown/rendered-text.ts";
import { measureCpuRatio } from "../cpu-ratio.ts";

describe("limits", () => {
  test("a hundred entities, links before styles", () => {
    const source = `${"**a** ".repeat(90)}${"[b](http://c.example/) ".repeat(30)}`;
    const types = renderMarkdown(source).entities.map((entity) => entity.type);
    expect(types.filter((type) => type === "text_link")).toHaveLength(30);
    expect(types.filter((type) => type === "bold")).toHaveLength(ENTITY_LIMIT - 30);
  });

  test.each([
    ["the length of the source", (over: number) => `${"a".repeat(SOURCE_LIMIT_UNITS - 4 + over)}**b**`.slice(1)],
    ["nested quotes", (over: number) => `${">".repeat(NESTING_LIMIT_MARKERS + over)}**b**`],
    ["nested lists", (over: number) => `${"1. ".repeat(NESTING_LIMIT_MARKERS + over)}**b**`],
    ["emphasis", (over: number) => `**b** ${"* ".repeat(EMPHASIS_LIMIT_RUNS - 2 + over)}`],
  ])("%s: shown as it is above", (_name, build) => {
    expect(renderMarkdown(build(0)).entities).toContainEqual(expect.objectContaining({ type: "bold" }));
    expect(renderMarkdown(build(1))).toEqual({ text: build(1).trimEnd(), entities: [] });
  });

  const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const bombs = [
    ">",
    "> ",
    "*",
    "**a ",
    "*a_ ",
    "_",
    "[",
    "[a](",
    "](b)",
    "![",
    "- ",
    "1. ",
    "> - ",
    "`",
    "~~",
    "~~a ",
    "|",
  ];
  const lines = [
    "\n",
    ">\n",
    "- a\n",
    "a\n=\n",
    "```\n",
    "|a|b|\n",
    "a|b\n-|-\n",
    "# ",
    "\\",
    "&amp;",
    "<",
    "<a@b.c>",
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
  test.each([...bombs, ...lines])("a bomb of %j takes no longer than many long messages", (unit) => {
    // In order: where a limit is missing, the first to fail spares the next, which would take minutes.
    expect(measureCost(fill(unit, 8 * SOURCE_LIMIT_UNITS))).toBeLessThan(2);
    expect(measureCost(fill(unit, 1_000_000))).toBeLessThan(5);
    // The worst is about fifty messages: the parser is quadratic in it.
    expect(measureCost(fill(unit, SOURCE_LIMIT_UNITS))).toBeLessThan(150);
    expect(measureCost(`>a\n${fill(unit, SOURCE_LIMIT_UNITS - 3)}`)).toBeLessThan(150);
  });

  test("emphasis nested as deep as the limit allows is shown", () => {
    const depth = EMPHASIS_LIMIT_RUNS / 2;
    expect(renderMarkdown(`${"*a ".repeat(depth)}${" b*".repeat(depth)}`).text).toMatch(/^a a .* b b$/s);
  });
});
