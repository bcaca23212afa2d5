import { Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { formatPlace, parseSource, readSources, type SourceFile } from "./source-file.ts";

const sources = readSources();

test("there are sources to look at", () => {
  expect(sources.length).toBeGreaterThan(0);
});

test("no catch block is empty, with or without a comment", () => {
  expect(sources.flatMap(listEmptyCatches)).toEqual([]);
});

test("no comment silences the compiler or another tool", () => {
  const offenders = sources.flatMap(({ path, text, parsed }) =>
    parsed.comments
      .filter(({ value }) => /^\s*(@ts-(ignore|nocheck|expect-error)|eslint-disable|prettier-ignore)/.test(value))
      .map(({ start, value }) => formatPlace(path, text, start, value)),
  );
  expect(offenders).toEqual([]);
});

test("Biome is told to look away only where a rule cannot know better, never from a house rule", () => {
  const offenders = sources.flatMap(({ path, text, parsed }) =>
    parsed.comments
      .filter(({ value }) => value.includes("biome-ignore") && !value.includes("noControlCharactersInRegex:"))
      .map(({ start, value }) => formatPlace(path, text, start, value)),
  );
  expect(offenders).toEqual([]);
});

test("a seeded empty catch is found", () => {
  const code = "try { open(); } catch { /* best effort */ }\ntry { open(); } catch (error) { log(error); }";
  expect(listEmptyCatches(parseSource("seeded.ts", code))).toEqual(["seeded.ts:1 catch { /* best effort */ }"]);
});

function listEmptyCatches({ path, text, parsed }: SourceFile): readonly string[] {
  if (!text.includes("catch")) return [];
  const found: string[] = [];
  const visitor = new Visitor({
    CatchClause({ start, end, body }) {
      if (body.body.length === 0) found.push(formatPlace(path, text, start, text.slice(start, end)));
    },
  });
  visitor.visit(parsed.program);
  return found;
}
