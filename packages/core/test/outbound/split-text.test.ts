import { describe, expect, test } from "vitest";
import {
  findFenceAround,
  findFences,
  isInBody,
  type SplitLimit,
  splitText,
  type TextPart,
} from "../../src/outbound/split-text.ts";
import { measureCpuRatio } from "../cpu-ratio.ts";

const byUnits = (source: string): number => source.length;
const byBytes = (source: string): number => Buffer.byteLength(source);
const plain = (limit: number): SplitLimit => ({ limit, measure: byUnits, reserveUnits: 0 });
const markdown = (limit: number): SplitLimit => ({ ...plain(limit), markdown: true });

const slices = (source: string, parts: TextPart[]): string[] => parts.map((p) => source.slice(p.start, p.end));
const asSent = (source: string, parts: TextPart[]): string[] =>
  parts.map((p) => p.prefix + source.slice(p.start, p.end) + p.suffix);

describe("what fits stays whole", () => {
  test.each([
    ["a short text", "hello", ["hello"]],
    ["a text of exactly the limit", "0123456789", ["0123456789"]],
    ["whitespace around it is kept", "\n hello ", ["\n hello "]],
    ["nothing", "", []],
    ["only whitespace", " \n\t\u00a0\n", []],
    ["only whitespace, longer than the limit", "\n".repeat(100), []],
  ])("%s", (_name, source, expected) => {
    expect(slices(source, splitText(source, plain(10)))).toEqual(expected);
  });

  test("a reserve of 32 units is kept free unless told otherwise", () => {
    const lengths = splitText("a".repeat(200), { limit: 100, measure: byUnits }).map((p) => p.end - p.start);
    expect(lengths).toEqual([68, 68, 64]);
  });
});

describe("the best place for a break", () => {
  test.each([
    [
      "after a paragraph",
      30,
      "One line.\nTwo.\n\nThree. Four five six",
      ["One line.\nTwo.\n\n", "Three. Four five six"],
    ],
    ["after a line", 24, "One two.\nThree. four\nfive six", ["One two.\nThree. four\n", "five six"]],
    ["after a sentence", 24, "One two three. Four five six", ["One two three. ", "Four five six"]],
    ["after a word", 12, "one two three four", ["one two ", "three four"]],
    ["anywhere in a long word", 5, "abcdefghijkl", ["abcde", "fghij", "kl"]],
    [
      "a title is no part of its own",
      24,
      "Title\n\nsome words and more words",
      ["Title\n\nsome words and ", "more words"],
    ],
    ["but a long address is kept whole", 16, "see https://a.example/b", ["see ", "https://a.exampl", "e/b"]],
    ["a paragraph between Windows line breaks", 13, "one two\r\n\r\nthree four", ["one two\r\n\r\n", "three four"]],
    ["a Chinese sentence", 6, "你好吗？我很好。", ["你好吗？", "我很好。"]],
    ["never inside a surrogate pair", 3, "😀😀😀", ["😀", "😀", "😀"]],
    ["not before a combining mark", 4, "abce\u0301f", ["abc", "e\u0301f"]],
    ["not inside a family", 12, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]],
    ["not between the letters of a flag", 6, "🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]],
    ["in a grapheme that is too long itself", 3, "e\u0301\u0301\u0301\u0301", ["e\u0301\u0301", "\u0301\u0301"]],
    ["the last word goes with the whitespace behind it", 8, "abc defg\n\n", ["abc ", "defg\n\n"]],
  ])("%s", (_name, limit, source, expected) => {
    expect(slices(source, splitText(source, plain(limit)))).toEqual(expected);
  });
});

test.each([
  [
    "not in the label of a link",
    24,
    "see [big oak](a:b) and [old elm](c:d)",
    ["see [big oak](a:b) and ", "[old elm](c:d)"],
  ],
  ["in one that no part can hold", 12, "[one two three](a:b)", ["[one two thr", "ee](a:b)"]],
  ["in brackets that are no link", 12, "see [one two] three", ["see [one ", "two] three"]],
])("Markdown is broken %s", (_name, limit, source, expected) => {
  expect(slices(source, splitText(source, markdown(limit)))).toEqual(expected);
});

describe("a code fence across a break", () => {
  test("is closed and opened again with its language", () => {
    const source = "Look:\n```ts\nconst a = 1;\nconst b = 2;\n```\nDone.";
    expect(asSent(source, splitText(source, markdown(34)))).toEqual([
      "Look:\n```ts\nconst a = 1;\n```",
      "```ts\nconst b = 2;\n```\nDone.",
    ]);
  });

  test("is closed on a line of its own when a line of code is broken", () => {
    const source = "~~~\n0123456789abcdefghijklmnopqrst\n~~~";
    expect(asSent(source, splitText(source, markdown(24)))).toEqual([
      "~~~\n0123456789abcde\n~~~",
      "~~~\nfghijklmnopqrst\n~~~",
    ]);
  });

  test("is left whole when there is a good place before it", () => {
    const source = "Some words before it.\n```\nx = 1\ny = 2\n```\n";
    expect(slices(source, splitText(source, markdown(36)))).toEqual([
      "Some words before it.\n",
      "```\nx = 1\ny = 2\n```\n",
    ]);
  });

  test("is closed at the end of a text that forgot to", () => {
    expect(asSent("```\nx", splitText("```\nx", markdown(20)))).toEqual(["```\nx\n```"]);
  });

  test("means nothing in a plain text", () => {
    expect(asSent("```\nx", splitText("```\nx", plain(20)))).toEqual(["```\nx"]);
  });
});

describe("whitespace that no part can hold", () => {
  test.each([
    ["at the start", `${"\n".repeat(30)}a`, ["a"]],
    ["at the end", `a${"\n".repeat(30)}`, [`a${"\n".repeat(9)}`]],
    ["between words", `a${"\n".repeat(30)}b`, [`a${"\n".repeat(9)}`, "b"]],
    ["what two parts can hold is kept", `a${"\n".repeat(18)}b`, [`a${"\n".repeat(9)}`, `${"\n".repeat(9)}b`]],
  ])("%s", (_name, source, expected) => {
    expect(slices(source, splitText(source, plain(10)))).toEqual(expected);
  });
});

describe("a long text is split in proportion to its length", () => {
  const LENGTH = 200_000;
  const fill = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length));
  test.each([
    ["one word", fill("a")],
    ["newlines", fill("\n")],
    ["newlines before a word", `${fill("\n")}a`],
    ["whitespace and words", fill(`${" ".repeat(5000)}x`)],
    ["words", fill("hello world. ")],
    ["combining marks", `e${fill("\u0301")}`],
    ["lone surrogates", fill("\ud83d")],
    ["NULs", fill("\0")],
    ["fences", fill("```ts\nfoo\n```\n")],
    ["fences that open", fill("```\na\n")],
    ["one fence around one line", `\`\`\`\n${fill("x")}\n\`\`\``],
    ["backticks", fill("`")],
    ["list markers", fill("- ")],
    ["links", fill("[a b](c:d) ")],
    ["links that do not end", fill("[a b](c")],
    ["brackets", fill("[")],
  ])("%s", (_name, source) => {
    const split = (length: number) => () =>
      splitText(source.slice(-length), { limit: 2000, measure: byUnits, markdown: true });
    // Eight times the text: a quadratic walk takes 64 times as long.
    expect(measureCpuRatio(split(100_000), split(12_500))).toBeLessThan(24);

    let measured = 0;
    let longest = 0;
    const measure = (text: string): number => {
      measured += text.length;
      longest = Math.max(longest, text.length);
      return byBytes(text);
    };
    splitText(source, { limit: 2000, measure, markdown: true });
    expect(measured).toBeLessThan(6 * source.length + 10_000);
    expect(longest).toBeLessThanOrEqual(4 * 2000 + 100);
  });
});

const NO_LIMIT = 1000;

describe("fences of a Markdown text", () => {
  test.each([
    ["no fence", "just text with `code`", []],
    ["one with a language", "a\n```ts\nx\n```\nb", [{ prefix: "```ts\n", closer: "```" }]],
    ["tildes around backticks", "~~~\n```\n~~~", [{ prefix: "~~~\n", closer: "~~~" }]],
    ["a longer fence around a shorter one", "````md\n```\nx\n```\n````", [{ prefix: "````md\n", closer: "````" }]],
    ["one that nothing closes", "```\nx", [{ prefix: "```\n", closer: "```" }]],
    ["one without even a line below", "```sh", [{ prefix: "```sh\n", closer: "```" }]],
    ["one in a list item", "- ```js\n  x\n  ```\n- y", [{ prefix: "  ```js\n", closer: "  ```" }]],
    ["one below a list item", "1. a\n   ```\n   x\n   ```", [{ prefix: "   ```\n", closer: "   ```" }]],
    ["Windows line breaks", "```ts\r\nx\r\n```\r\n", [{ prefix: "```ts\n", closer: "```" }]],
    ["inline code of three backticks", "```x``` and text\n", []],
    ["a fence in a block quote", "> ```\n> x\n> ```", []],
  ])("%s", (_name, source, expected) => {
    expect(findFences(source, NO_LIMIT)).toMatchObject(expected);
    expect(findFences(source, NO_LIMIT)).toHaveLength(expected.length);
  });

  test("a line far to the right of the opening line closes nothing", () => {
    expect(findFences("```\n    ```\nx\n```", NO_LIMIT)).toMatchObject([{ bodyStart: 4, bodyEnd: 14, end: 17 }]);
  });

  test("a fence whose marks leave no room for code is left out, the next one is still found", () => {
    const fences = findFences(`\`\`\`${"long".repeat(20)}\nx\n\`\`\`\n\`\`\`ts\ny\n\`\`\``, 40);
    expect(fences).toMatchObject([{ prefix: "```ts\n" }]);
  });

  test("a position is looked up among all fences", () => {
    const fences = findFences("```\nx\n```\n".repeat(1000), NO_LIMIT);
    const lookup = (position: number): number | undefined => findFenceAround(fences, position)?.start;
    expect([0, 1, 5, 8, 9, 10, 11, 9991, 9999, 10_000].map(lookup)).toEqual([
      undefined,
      0,
      0,
      0,
      undefined,
      undefined,
      10,
      9990,
      undefined,
      undefined,
    ]);
  });

  test("the fence lines are not in the body", () => {
    const source = "```\nx\n```";
    const [fence] = findFences(source, NO_LIMIT);
    const inBody = Array.from(source).flatMap((_, i) => (fence !== undefined && isInBody(fence, i) ? [i] : []));
    expect(inBody).toEqual([4, 5, 6]);
  });
});
