import { formatPlainText } from "@banyan/markdown";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureMarkdown } from "../../src/markdown/measure-markdown.ts";
import { isPlainText } from "../../src/markdown/plain-text.ts";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";
import { measureCpuRatio } from "../cpu-ratio.ts";
import { readDiscordText } from "./discord-reader.ts";

const word = fc.string({ unit: fc.constantFrom(..."abcXYZ019äß漢😀.,;?!()/'%$"), minLength: 1, maxLength: 8 });
const mark = fc.constantFrom(
  ...["*", "**", "_", "__", "~", "~~", "~~~", "|", "||", "`", "``", "```", "\\", "[", "]", "](", ")", "<", ">"],
  ...["#", "##", "-#", "-", "+", "1.", ">>>", "@everyone", "@here", "https://a.example/x_y", "<:a_:1>"],
  ...["&", "!", "=", ":", "<@1>", "{", "\u00e9"],
);
const markup = fc.oneof(
  mark,
  fc.constantFrom(
    "\n",
    "\n\n",
    "  \n",
    " ",
    "    ",
    "\t",
    "\r\n",
    "\n> ",
    "\n- ",
    "\n  - ",
    "\n1. ",
    "\n# ",
    "\n---\n",
  ),
  fc.constantFrom(
    "\n```ts\n",
    "\n```\n",
    "\n~~~\n",
    "\n|a|b|\n|-|-|\n",
    "](https://a.example/b)",
    "![",
    "&nbsp;",
    "<b>",
  ),
  fc.constantFrom("\ud83d", "\ude00", "\0", "\u00a0", "\ufeff", "😀", "e\u0301"),
  word,
);
const anyMarkdown = fc.oneof(
  fc.array(markup, { maxLength: 80, size: "max" }).map((list) => list.join("")),
  fc.string({ unit: "binary" }),
);

/** Lines as a paragraph keeps them: no space around them and none doubled. */
const literalLine = fc
  .array(fc.oneof(mark, word, fc.constant(" ")), { minLength: 1, maxLength: 20, size: "max" })
  .map((list) => list.join("").replaceAll(/ +/g, " ").trim())
  .filter((line) => line !== "");
const literalText = fc.array(literalLine, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));

describe("attack 17: for any text", () => {
  test("nothing is thrown, and nothing is sent only for a text that is blank", () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        expect(renderMarkdown(source).trim() === "").toBe(source.trim() === "");
      }),
      { numRuns: 500 },
    );
  });

  test("what is sent is valid Unicode and ends with no whitespace", () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        const text = renderMarkdown(source);
        expect(text.isWellFormed()).toBe(true);
        expect(text).toBe(text.trimEnd());
      }),
    );
  });

  test("what is measured is what is sent", () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        expect(measureMarkdown(source)).toBe(renderMarkdown(source).length);
      }),
    );
  });

  test("every word of a text without markup is shown, in order", () => {
    const space = fc.string({ unit: fc.constantFrom(" ", " ", "\n"), minLength: 1, maxLength: 6 });
    const unmarkedWord = word.filter((text) => !/^\d+[.)]$/.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(space, unmarkedWord)), (pairs) => {
        const source = pairs.flat().join("");
        const words = (text: string): string[] => text.split(/\s+/).filter((part) => part !== "" && part !== "```");
        expect(words(renderMarkdown(source))).toEqual(words(source));
      }),
    );
  });

  test("what the author shows as it is, Discord shows as it is", () => {
    fc.assert(
      fc.property(literalText, (text) => {
        const source = text.replaceAll(/[!-/:-@[-`{-~]/g, "\\$&");
        expect(readDiscordText(renderMarkdown(source))).toEqual({ shown: text, marks: [] });
      }),
      { numRuns: 2000 },
    );
  });

  test("what is plain at first sight means nothing to Discord", () => {
    const almostPlain = fc.array(fc.oneof({ weight: 6, arbitrary: word }, mark, fc.constantFrom(" ", "\n")), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(almostPlain.map((list) => list.join("")).filter(isPlainText), (source) => {
        const text = formatPlainText(source);
        expect(renderMarkdown(source)).toBe(text);
        expect(readDiscordText(text)).toEqual({ shown: text, marks: [] });
      }),
      { numRuns: 1000 },
    );
  });
});

test("plain text is measured without being parsed, a megabyte in proportion to its length", () => {
  const plain = (length: number): string => "Hello, world. ".repeat(length / 14).trimEnd();
  const measure = (source: string) => () => measureMarkdown(source);
  expect(measureMarkdown(plain(980_000))).toBe(979_999);
  expect(measureCpuRatio(measure(plain(8_000)), measure(`${plain(8_000)} *a*`))).toBeLessThan(0.25);
  // Eight times the text: what is quadratic would take 64 times as long.
  expect(measureCpuRatio(measure(plain(980_000)), measure(plain(122_500)))).toBeLessThan(24);
});
