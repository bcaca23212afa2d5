import { EMPHASIS_LIMIT_RUNS, NESTING_LIMIT_MARKERS, SOURCE_LIMIT_UNITS } from "@banyan/markdown";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";
import { ENTITY_LIMIT } from "../../src/markdown/rendered-text.ts";

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

  const LONG = 10_000;
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
  test.each([...bombs, ...lines])("a bomb of %j is shown in time", (unit) => {
    const begin = process.threadCpuUsage();
    renderMarkdown(fill(unit, LONG));
    renderMarkdown(fill(unit, SOURCE_LIMIT_UNITS));
    renderMarkdown(`>a\n${fill(unit, SOURCE_LIMIT_UNITS - 3)}`);
    renderMarkdown(fill(unit, 1_000_000));
    // Generous: the slowest takes half a second here; without the limits it would be minutes.
    expect(process.threadCpuUsage(begin).user).toBeLessThan(10_000_000);
  });

  test("emphasis nested as deep as the limit allows is shown", () => {
    const depth = EMPHASIS_LIMIT_RUNS / 2;
    expect(renderMarkdown(`${"*a ".repeat(depth)}${" b*".repeat(depth)}`).text).toMatch(/^a a .* b b$/s);
  });
});
