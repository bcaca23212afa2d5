import { formatPlainText, parseMarkdown } from "@banyan/markdown";
import fc from "fast-check";
import { expect, test } from "vitest";
import { measureMarkdown } from "../../src/markdown/measure-markdown.ts";
import { isPlainText } from "../../src/markdown/plain-text.ts";
import { renderMarkdown, renderTree } from "../../src/markdown/render-markdown.ts";
import { measureCpuRatio } from "../cpu-ratio.ts";

test.each([
  ["plain text counts UTF-16 units", "a 😀", 4],
  ["markup does not count", "**a** [b](http://c.example/)", 3],
  ["whitespace around it does not count", "\n\na\n", 1],
  ["nothing", "", 0],
])("%s", (_name, source, units) => {
  expect(measureMarkdown(source)).toBe(units);
});

const link = (at: number): string => `[t${at}](https://e.org/${at})`;
const longLink = (at: number): string => `[t${at}](https://e.org/${"樹".repeat(20)}/${at})`;
const join = (count: number, build: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => build(at)).join(" ");

test.each([
  ["as many entities as a message holds", join(100, link), 389],
  ["one more", join(101, link), 4137],
  ["twice as many, also of those that only look different", join(200, (at) => `**t${at}**`), 8192],
  ["addresses within the limit of their size", join(30, longLink), 109],
  ["addresses over it", join(50, longLink), 5320],
])("what one message cannot hold is longer than one: %s", (_name, source, units) => {
  expect(measureMarkdown(source)).toBe(units);
});

test.each([
  ["words", "Hello, world! It's 5:30 (p.m.); see a/b.txt = c?", true],
  ["lines and paragraphs", "one\ntwo\n\nthree\n", true],
  ["a list", "one\n- two", false],
  ["a number at the start of a line", "2. two", false],
  ["a table of one column", "one\n:-", false],
  ["an indented line", "one\n  two", false],
  ["snake_case, which only the parser can tell from emphasis", "snake_case", false],
])("%s: plain or not", (_name, source, isPlain) => {
  expect(isPlainText(source)).toBe(isPlain);
});

const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(..."abz 19.,:;!?()]}{=+-#>~'\"@/$%^\n\n") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\f", "\v", "\u0085", "\u00a0", "\u2028", "\u3000", "\u200b", "\ufeff", "\x01"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("\t", "\r", "\0", "*", "_", "`", "[", "<", "&", "|", "\\", "\ud83d", "\ude00", "漢"),
  },
);
const lineStart = fc.constantFrom(
  "\n:-",
  "\n:-:\n",
  "\n---",
  "\n===\n",
  "\n+ ",
  "\n1. ",
  "\n#",
  "\n~~~",
  "\n    ",
  "http://a.b",
);
const almostPlain = fc.oneof(
  fc
    .array(fc.oneof({ weight: 9, arbitrary: character }, { weight: 1, arbitrary: lineStart }))
    .map((list) => list.join("")),
  fc.string({ unit: character, maxLength: 40, size: "max" }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);

test("a text that is plain at first sight is shown by the parser just the same", () => {
  fc.assert(
    fc.property(almostPlain.filter(isPlainText), (source) => {
      const text = formatPlainText(source);
      const root = parseMarkdown(text);
      expect(root && renderTree(root, text)).toEqual({ text, entities: [] });
    }),
    { numRuns: 1000 },
  );
});

test("what is measured is what is sent", () => {
  fc.assert(
    fc.property(almostPlain, (source) => {
      expect(measureMarkdown(source)).toBe(renderMarkdown(source).text.length);
    }),
  );
});

test("plain text is measured without being parsed, a megabyte in proportion to its length", () => {
  const plain = (length: number): string => "Hello, world. ".repeat(length / 14).trimEnd();
  const measure = (source: string) => () => measureMarkdown(source);
  expect(measureMarkdown(plain(980_000))).toBe(979_999);
  expect(measureCpuRatio(measure(plain(8_000)), measure(`${plain(8_000)} *a*`))).toBeLessThan(0.25);
  // Eight times the text: what is quadratic would take 64 times as long.
  expect(measureCpuRatio(measure(plain(980_000)), measure(plain(122_500)))).toBeLessThan(24);
});
