import { expect, test } from "vitest";
import { formatMarkdownText } from "../../src/terminal/markdown-text.ts";

const mark = (style: string, word: string) => `<${style}:${word}>`;

test.each([
  ["**two words** and *one*", "<bold:two> <bold:words> and <italic:one>", "two words and one"],
  ["__bold__, _italic_, ~~gone~~", "<bold:bold>, <italic:italic>, <strikethrough:gone>", "bold, italic, gone"],
  ["run `git log -5` now", "run <cyan:git> <cyan:log> <cyan:-5> now", "run git log -5 now"],
  ["`**code**` stays", "<cyan:**code**> stays", "**code** stays"],
  ["# Title ##", "<bold:Title>", "Title"],
  ["[the docs](http://127.0.0.1/a_b_c)", "the docs (http://127.0.0.1/a_b_c)", "the docs (http://127.0.0.1/a_b_c)"],
  ["calc 2 * (3 + 4) * 5, snake_case_name, 2*3*4", undefined, "calc 2 * (3 + 4) * 5, snake_case_name, 2*3*4"],
  [String.raw`\*not italic\*, \_nor\_`, "*not italic*, _nor_", "*not italic*, _nor_"],
  ["- a\n  - **b**", "- a\n  - <bold:b>", "- a\n  - b"],
  ["x\n```ts\nconst a = 1;\n\n  b();\n```\ny", undefined, "x\n  const a = 1;\n  \n    b();\ny"],
  ["```\n**as it is**", "  <cyan:**as> <cyan:it> <cyan:is**>", "  **as it is**"],
  ["x \ue01b]0;owned\ue007 \ue01b[2J `\ue01b`", undefined, "x \ue01b]0;owned\ue007 \ue01b[2J \ue01b"],
  ["&#27;[2J and &#x9b;2J", undefined, "\ufffd[2J and \ufffd2J"],
  ["1. one\n   and more\n2. **two**", undefined, "1. one\n   and more\n2. two"],
  ["> quoted\n> *twice*", undefined, "> quoted\n> twice"],
  ["- a\n  ```\n  b\n  c\n  ```", undefined, "- a\n    b\n    c"],
  ["an open `span and **bold", "an open `span and **bold", "an open `span and **bold"],
])("%j is shown without its marks", (source, styled, plain) => {
  expect(formatMarkdownText(source)).toBe(plain);
  if (styled !== undefined) expect(formatMarkdownText(source, mark)).toBe(styled);
});
