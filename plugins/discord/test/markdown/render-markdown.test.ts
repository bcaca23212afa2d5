import { describe, expect, it, test } from "vitest";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";

describe("Markdown as Discord shows it", () => {
  it.each<[what: string, source: string, sent: string]>([
    ["plain text", "Hello, world! It's 5:30.", "Hello, world! It's 5:30."],
    ["bold", "a **b** c", "a **b** c"],
    ["bold, which Discord would underline", "a __b__ c", "a **b** c"],
    ["italics", "*a* _b_", "*a* *b*"],
    ["bold in italics", "***a***", "***a***"],
    ["bold in bold", "**a __b__ c**", "**a b c**"],
    ["struck out", "~~a~~", "~~a~~"],
    ["code", "`a_b*`", "`a_b*`"],
    ["code with a backtick", "`` a`b ``", "``a`b``"],
    ["code that begins with one", "`` `a ``", "`` `a ``"],
    ["code with one and two, for which Discord has no marks", "``` a`b``c ```", "a\\`b\\`\\`c"],
    ["titles of three sizes", "# a\n## b\n### c", "# a\n## b\n### c"],
    ["a smaller title", "#### a **b**", "**a b**"],
    ["a line", "a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["HTML, which is text", "<b>a</b> &amp; &lt;", "<b>a</b> & <"],
    ["an escaped mark", "\\*a\\*", "\\*a\\*"],
    ["a path", "C:\\temp\\new", "C:\\temp\\new"],
    ["a name in snake_case", "*a* snake_case_name", "*a* snake_case_name"],
    ["a product", "*a* 2 * 3", "*a* 2 * 3"],
    ["a user's mention, which calls nobody", "*a* <@1000000000000000042>", "*a* <@1000000000000000042>"],
    ["an emoji with a line below", "<:_oak_:1400000000000000001>", "<:_oak_:1400000000000000001>"],
  ])("%s", (_what, source, sent) => {
    expect(renderMarkdown(source)).toBe(sent);
  });
});

describe("what means something to Discord alone is shown as it is written", () => {
  it.each([
    ["||hidden||", "\\|\\|hidden\\|\\|"],
    ["-# small", "\\-# small"],
    ["a\n-# small", "a\n\\-# small"],
    ["foo__bar__baz", "foo\\_\\_bar\\_\\_baz"],
    ["a\n2. b", "a\n2\\. b"],
    ["@everyone, @here", "\\@everyone, \\@here"],
    ["mail@everyone.example", "mail\\@everyone.example"],
    ["**\\<@1\\>** is at work", "**\\<@1>** is at work"],
    ["\\<#1> \\<@&1> \\<t:1:R> \\<a:oak:1> \\</stop:1>", "\\<#1> \\<@&1> \\<t:1:R> \\<a:oak:1> \\</stop:1>"],
    ["https://e.org\\<@1> https://e.org\\<t:1>", "https://e.org<\\@1> https://e.org<t\\:1>"],
    ["\\\\<@1> is not escaped", "\\\\<@1> is not escaped"],
    ["`\\<@1>`", "`\\<@1>`"],
    ["```\n\\<@1>\n```", "```\n\\<@1>\n```"],
    ["[a \\<@1>](https://e.org/\\<x)", "[a \\<@1>](https://e.org/%3Cx)"],
    ["|a|\n|-|\n|\\<@1>|", "```\na\n----\n<@1>\n```"],
    ["\\<@1> and \ufdd0<@1>", "\\<@1> and \ufffd<@1>"],
  ])("%j", (source, sent) => {
    expect(renderMarkdown(source)).toBe(sent);
  });
});

describe("links", () => {
  it.each<[what: string, source: string, sent: string]>([
    ["with a label", "[a *b*](https://a.example/x)", "[a *b*](https://a.example/x)"],
    ["with parentheses", "[a](https://a.example/x_(y))", "[a](https://a.example/x_%28y%29)"],
    ["without a label", "[](https://a.example/x)", "https://a.example/x"],
    ["whose label is the address", "[https://a.example/x](https://a.example/x)", "https://a.example/x"],
    ["in angle brackets", "<https://a.example/x_y_>", "https://a.example/x_y_"],
    ["as it is", "*a* https://a.example/_x_/**y**", "*a* https://a.example/_x_/**y**"],
    [
      "with marks in the middle",
      "see https://a.example/_x_/~~y~~/*z now*",
      "see https://a.example/_x_/~~y~~/*z now\\*",
    ],
    ["before a word in bold", "see https://a.example __now__", "see https://a.example **now**"],
    ["whose label lies", "[https://bank.example](https://a.example)", "https://bank.example (https://a.example/)"],
    ["with brackets in the label", "[a\\]b](https://a.example/x)", "[a\\]b](https://a.example/x)"],
    ["that are none", "\\[a](https://a.example/x)", "[a]\\(https://a.example/x)"],
    ["to nowhere in the web", "[a](javascript:alert)", "a (javascript:alert)"],
    ["to mail", "[me](mailto:ada@a.example)", "me (ada@a.example)"],
    ["a picture", "![a tree](https://a.example/x.png)", "[a tree](https://a.example/x.png)"],
    ["a picture without words", "![](https://a.example/x.png)", "https://a.example/x.png"],
  ])("%s", (_what, source, sent) => {
    expect(renderMarkdown(source)).toBe(sent);
  });

  test("a picture in the text itself is not shown", () => {
    expect(renderMarkdown(`a ![](data:image/png;base64,${"A".repeat(2000)})`)).toBe("a");
  });
});

describe("blocks", () => {
  it.each<[what: string, source: string, sent: string]>([
    ["a list in a list", "* a\n  * b\n    1. c", "- a\n  - b\n    1. c"],
    ["a list that is all ones", "1. a\n1. b", "1. a\n2. b"],
    ["a list that begins with a year", "1986. a\n1990. b", "1986. a\n1990. b"],
    ["a paragraph in a list", "- a\n\n  b", "- a\n\n  b"],
    ["a title in a list", "- # a", "- **a**"],
    ["code in a list, at the left edge", "1. a\n   ```js\n     b\n   ```\n2. c", "1. a\n```js\n  b\n```\n2. c"],
    ["a quote", "> a\nb", "> a\n> b"],
    ["a quote of two paragraphs", "> a\n>\n> b", "> a\n> \n> b"],
    ["a quote in a quote", "> a\n>> b", "> a\n> b"],
    ["three quotes at once", ">>> a", "> a"],
    ["code in a quote", "> ```\n> a\n> ```", "> ```\n> a\n> ```"],
    ["a quote in a list", "- a\n  > b", "- a\n> b"],
  ])("%s", (_what, source, sent) => {
    expect(renderMarkdown(source)).toBe(sent);
  });

  test("a list is indented ten times at most", () => {
    const source = Array.from({ length: 14 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n");
    expect(renderMarkdown(source).split("\n").slice(9)).toEqual([
      `${" ".repeat(18)}- a`,
      ...Array.from({ length: 4 }, () => `${" ".repeat(20)}- a`),
    ]);
  });

  test("code is kept byte by byte", () => {
    const code = "if (a < b) {\n\treturn `x` + '||' + \"__\" ; // **no**\n}\n\n  # end";
    expect(renderMarkdown(`a\n\`\`\`ts\n${code}\n\`\`\`\nb`)).toBe(`a\n\`\`\`ts\n${code}\n\`\`\`\nb`);
  });

  test("code in tildes is code in backticks, and backticks in it do not end it", () => {
    expect(renderMarkdown("~~~md\n```js\na\n```\n~~~")).toBe("```md\n``\u200b`js\na\n``\u200b`\n```");
  });

  test("a language that is none is left out", () => {
    expect(renderMarkdown('```"x"\na\n```')).toBe("```\na\n```");
  });

  test("a table is lines of equal letters", () => {
    const source = "| Tree | **Age** |\n|---|--:|\n| [Oak](https://a.example) | `900` |\n| Fir | |";
    expect(renderMarkdown(source)).toBe(
      [
        "```",
        "Tree                    | Age",
        "------------------------+----",
        "Oak (https://a.example) | 900",
        "Fir                     |",
        "```",
      ].join("\n"),
    );
  });

  test("nothing but an empty code block is sent as it was written", () => {
    expect(renderMarkdown("```\n```")).toBe("```\n```");
  });
});
