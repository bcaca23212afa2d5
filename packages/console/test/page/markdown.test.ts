import { expect, test } from "vitest";
import { type Block, parseMarkdown } from "../../src/page/markdown.ts";

const text = (content: string) => [{ type: "text", text: content }];
const paragraph = (content: string) => ({ type: "paragraph", content: text(content) });

test.each<[string, string, readonly unknown[]]>([
  ["nothing", "", []],
  ["blank lines", "\n \n", []],
  ["paragraphs", "a\n\n\nb", [paragraph("a"), paragraph("b")]],
  ["lines of a paragraph", "a\r\nb", [{ type: "paragraph", content: [...text("a"), { type: "break" }, ...text("b")] }]],
  ["a heading", "## A b", [{ type: "heading", level: 2, content: text("A b") }]],
  ["no heading", "#tag", [paragraph("#tag")]],
  [
    "a fence",
    "a\n```ts\nb\n\n# c\n```\nd",
    [paragraph("a"), { type: "code", language: "ts", text: "b\n\n# c" }, paragraph("d")],
  ],
  ["a fence without a language", "~~~\na\n~~~", [{ type: "code", text: "a" }]],
  ["a fence in a longer one", "````\n```\na\n```\n````", [{ type: "code", text: "```\na\n```" }]],
  ["a fence still open, as in a growing answer", "```js\na", [{ type: "code", language: "js", text: "a" }]],
  ["no fence", "``` a ``` b", [{ type: "paragraph", content: [{ type: "code", text: "a" }, ...text(" b")] }]],
  ["a list", "- a\n* b\n\n+ c", [{ type: "list", items: [[paragraph("a")], [paragraph("b")], [paragraph("c")]] }]],
  ["an indented list", "  - a\n  - b", [{ type: "list", items: [[paragraph("a")], [paragraph("b")]] }]],
  [
    "a numbered list from three",
    "3. a\n4) b\n\nc",
    [{ type: "list", start: 3, items: [[paragraph("a")], [paragraph("b")]] }, paragraph("c")],
  ],
  [
    "a list within a list",
    "1. a\n   - b\n   - c\n2. d",
    [
      {
        type: "list",
        start: 1,
        items: [[paragraph("a"), { type: "list", items: [[paragraph("b")], [paragraph("c")]] }], [paragraph("d")]],
      },
    ],
  ],
  [
    "a fence in a list",
    "- a\n  ```\n  b\n    c\n  ```\n- d",
    [{ type: "list", items: [[paragraph("a"), { type: "code", text: "b\n  c" }], [paragraph("d")]] }],
  ],
  [
    "a paragraph behind a list",
    "- a\nb\n\nc",
    [
      { type: "list", items: [[{ type: "paragraph", content: [...text("a"), { type: "break" }, ...text("b")] }]] },
      paragraph("c"),
    ],
  ],
  ["a rule", "---", [paragraph("---")]],
  ["markup of a page", "<script>a</script>", [paragraph("<script>a</script>")]],
])("%s", (_name, source, blocks) => {
  expect(parseMarkdown(source)).toEqual(blocks);
});

test("lists within lists end somewhere", () => {
  const source = Array.from({ length: 100 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n");
  let depth = 0;
  for (let blocks: readonly Block[] = parseMarkdown(source); ; depth += 1) {
    const list = blocks.find((block) => block.type === "list");
    if (list?.type !== "list") break;
    blocks = list.items[0] ?? [];
  }
  expect(depth).toBe(8);
});

test.each([
  ["one long fence line", `\`\`\`${"a".repeat(200_000)}\``],
  ["one long run of backticks", "`".repeat(200_000)],
  ["a heading of spaces", `# ${" ".repeat(200_000)}#x`],
  ["many items", "- a\n".repeat(20_000)],
  ["deep indents", `- a\n${`${" ".repeat(500)}b\n`.repeat(2_000)}`],
  ["blank lines in a list", `- a${"\n".repeat(100_000)}`],
])("%s takes no time to speak of", (_name, source) => {
  expect(parseMarkdown(source).length).toBeGreaterThan(0);
});
