import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";

/** Entities as "type:what they cover", with their address or language behind it. */
function describeEntities(source: string): string[] {
  const { text, entities } = renderMarkdown(source);
  return entities.map((entity) => {
    const extra =
      entity.type === "text_link" ? ` → ${entity.url}` : entity.type === "pre" ? ` ${entity.language ?? ""}` : "";
    return `${entity.type}:${text.slice(entity.offset, entity.offset + entity.length)}${extra}`.trimEnd();
  });
}

describe("Markdown as text and entities", () => {
  test.each([
    ["plain text", "hello world", "hello world", []],
    ["two lines", "one\ntwo", "one\ntwo", []],
    ["bold and italic", "**a** and *b* and _c_", "a and b and c", ["bold:a", "italic:b", "italic:c"]],
    ["one in another", "**a _b_**", "a b", ["bold:a b", "italic:b"]],
    ["the same in itself", "**a __b__**", "a b", ["bold:a b"]],
    ["strikethrough", "~~gone~~ ~5 km~", "gone ~5 km~", ["strikethrough:gone"]],
    ["code", "run `npm i`", "run npm i", ["code:npm i"]],
    ["code interrupts bold", "**use `x` now**", "use x now", ["bold:use", "code:x", "bold:now"]],
    ["an escaped star", "2 \\* 3 * 4", "2 * 3 * 4", []],
    ["a character reference", "a &amp; b &lt;", "a & b <", []],
    ["snake_case stays", "the_snake_case", "the_snake_case", []],
    ["a heading", "## Title\ntext", "Title\ntext", ["bold:Title"]],
    ["a hard break", "one  \ntwo\\\nthree", "one\ntwo\nthree", []],
    ["paragraphs", "one\n\n\n\ntwo", "one\n\ntwo", []],
    ["a line", "a\n\n---\nb", "a\n\n———\nb", []],
    ["no underlined titles", "a\n---\nb\n===", "a\n———\nb\n===", []],
    ["HTML is text", "<b>x</b>\n<div>\n*y*\n</div>", "<b>x</b>\n<div>\ny\n</div>", ["italic:y"]],
    ["emoji count two units", "😀 **a**", "😀 a", ["bold:a"]],
    ["whitespace is not in an entity", "**&nbsp;a&nbsp;** b", "\u00a0a\u00a0 b", ["bold:a"]],
    ["whitespace alone is no entity", "a **&nbsp;** b", "a \u00a0 b", []],
    ["half a surrogate pair", "a **\ud83d** b", "a \ufffd b", ["bold:\ufffd"]],
    ["Windows line breaks", "a\r\n**b**\r\n", "a\nb", ["bold:b"]],
    ["link definitions stay", "[a][1]\n\n[1]: http://b.example", "[a][1]\n\n[1]: http://b.example", []],
  ])("%s", (_name, source, text, entities) => {
    expect(renderMarkdown(source).text).toBe(text);
    expect(describeEntities(source)).toEqual(entities);
  });
});

describe("lists and quotes", () => {
  test.each([
    ["a list", "text\n- a\n- *b*\n\nend", "text\n• a\n• b\n\nend", ["italic:b"]],
    ["a numbered list", "3. a\n4. b", "3. a\n4. b", []],
    ["numbers are kept as written", "1945. a\n1939. b\n\n007) c", "1945. a\n1939. b\n\n007) c", []],
    ["items that are all the first are counted", "1. a\n1. b\n1. c", "1. a\n2. b\n3. c", []],
    ["a list with air", "- a\n\n- b", "• a\n\n• b", []],
    ["a list in a list", "- a\n  - b\n    c\n- d", "• a\n  • b\n    c\n• d", []],
    ["a paragraph in an item", "1. a\n\n   b", "1. a\n\n   b", []],
    ["tasks", "- [ ] a\n- [x] b", "• [ ] a\n• [x] b", []],
    ["code in an item", "- a\n  ```\n  x\n  ```\n- b", "• a\nx\n• b", ["pre:x"]],
    ["a quote", "> a\n> **b**\n\nc", "a\nb\n\nc", ["blockquote:a\nb", "bold:b"]],
    ["a quote in a quote", "> a\n> > b", "a\nb", ["blockquote:a\nb"]],
    ["code in a quote", ">     x\n> y", "x\ny", ["blockquote:x\ny", "pre:x"]],
  ])("%s", (_name, source, text, entities) => {
    expect(renderMarkdown(source).text).toBe(text);
    expect(describeEntities(source)).toEqual(entities);
  });
});

describe("code blocks and tables", () => {
  test.each([
    ["with a language", "```ts\na\n\nb\n```", "a\n\nb", ["pre:a\n\nb ts"]],
    ["the first line keeps its indentation", "```\n\n  a\nb\n\n```", "  a\nb", ["pre:  a\nb"]],
    ["an odd language is left out", '```a"b\nx\n```', "x", ["pre:x"]],
    ["Markdown in code is text", "```\n**a**\n```", "**a**", ["pre:**a**"]],
    ["a quote that begins with it", "> ```\n>   a\n> ```\n> b", "  a\nb", ["blockquote:  a\nb", "pre:  a"]],
    ["nothing in it: as it was written", "```\n\n```", "```\n\n```", []],
    [
      "a table",
      "| Name | Age |\n|---|--:|\n| **Ada** | 36 |\n| Grace | 100 |",
      "Name  | Age\n------+----\nAda   |  36\nGrace | 100",
      ["pre:Name  | Age\n------+----\nAda   |  36\nGrace | 100"],
    ],
    [
      "a table of wide letters, a link, a short row",
      "| | b |\n|-|-|\n| 漢 | [x](http://a.example) |\n| c |",
      "   | b\n---+---------------------\n漢 | x (http://a.example)\nc",
      ["pre:   | b\n---+---------------------\n漢 | x (http://a.example)\nc"],
    ],
  ])("%s", (_name, source, text, entities) => {
    expect(renderMarkdown(source).text).toBe(text);
    expect(describeEntities(source)).toEqual(entities);
  });
});

describe("links", () => {
  test.each([
    ["a link", "[a *b*](https://c.example/d?e=1)", "a b", ["text_link:a b → https://c.example/d?e=1", "italic:b"]],
    ["a bold link", "**[a](https://c.example/)**", "a", ["bold:a", "text_link:a → https://c.example/"]],
    ["a link in bold letters", "[**a**](https://c.example/)", "a", ["text_link:a → https://c.example/", "bold:a"]],
    ["its code is no entity", "[`a`](https://c.example/)", "a", ["text_link:a → https://c.example/"]],
    [
      "an address in brackets",
      "<https://c.example/>",
      "https://c.example/",
      ["text_link:https://c.example/ → https://c.example/"],
    ],
    ["a link to a person", "[Ada](tg://user?id=1)", "Ada", ["text_link:Ada → tg://user?id=1"]],
    ["no label", "[](https://c.example/)", "https://c.example/", ["text_link:https://c.example/ → https://c.example/"]],
    ["a picture", "![a cat](https://c.example/x.png)", "a cat", ["text_link:a cat → https://c.example/x.png"]],
    ["a picture that links", "[![a](http://b.example/)](http://c.example/)", "a", ["text_link:a → http://c.example/"]],
    ["a relative address", "[main](src/main.ts)", "main (src/main.ts)", []],
    ["the label says it all", "[src/main.ts](src/main.ts)", "src/main.ts", []],
    ["mail", "[mail](mailto:a@b.example) <c@d.example>", "mail (a@b.example) c@d.example", []],
    ["the own machine", "[app](http://localhost:3000)", "app (http://localhost:3000)", []],
    ["script", "[x](javascript:alert)", "x (javascript:alert)", []],
    ["a picture in the text", `![a](data:image/png;base64,${"x".repeat(300)})`, "a", []],
  ])("%s", (_name, source, text, entities) => {
    expect(renderMarkdown(source).text).toBe(text);
    expect(describeEntities(source)).toEqual(entities);
  });
});
