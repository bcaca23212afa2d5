import { expect, test } from "vitest";
import { type Inline, parseInline } from "../../src/page/inline-markdown.ts";

/** As readable as it gets: ~code~, <strong>, _emphasis_, {href|link}, and / for a break. */
function show(inlines: readonly Inline[]): string {
  return inlines.map(showOne).join("");
}

function showOne(inline: Inline): string {
  switch (inline.type) {
    case "text":
      return inline.text;
    case "break":
      return "/";
    case "code":
      return `~${inline.text}~`;
    case "strong":
      return `<${show(inline.content)}>`;
    case "emphasis":
      return `_${show(inline.content)}_`;
    case "link":
      return `{${inline.href}|${show(inline.content)}}`;
  }
}

test.each([
  ["", ""],
  ["plain words", "plain words"],
  ["two\nlines", "two/lines"],
  ["a `b` c", "a ~b~ c"],
  ["``a ` b``", "~a ` b~"],
  ["`` ` ``", "~`~"],
  ["`**a**`", "~**a**~"],
  ["`open", "`open"],
  ["``a` b", "``a` b"],
  ["**bold** and *soft*", "<bold> and _soft_"],
  ["**a `b` [c](https://d.example/)**", "<a ~b~ {https://d.example/|c}>"],
  ["**open", "**open"],
  ["** no **", "** no **"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ["snake_case_name", "snake_case_name"],
  ["\\*a\\* and snake\\_case", "*a* and snake_case"],
  ["*a \\* b*", "_a * b_"],
  ["`\\*`", "~\\*~"],
  ["C:\\dir \\", "C:\\dir \\"],
  ["[a](https://b.example/c?d=e#f)", "{https://b.example/c?d=e#f|a}"],
  ["[**a**](https://b.example)", "{https://b.example|<a>}"],
  ["[https://a.example](https://b.example)", "{https://b.example|https://a.example}"],
  ["see https://a.example/b.", "see {https://a.example/b|https://a.example/b}."],
  ["(http://a.example)", "({http://a.example|http://a.example})"],
  ["xhttps://a.example", "xhttps://a.example"],
  ["[a](javascript:alert(1))", "[a](javascript:alert(1))"],
  ["[a](JavaScript://a.example/%0aalert(1))", "[a](JavaScript://a.example/%0aalert(1))"],
  ["[a](data:text/html,b)", "[a](data:text/html,b)"],
  ["[a](file:///etc/passwd)", "[a](file:///etc/passwd)"],
  ["[a](//b.example)", "[a](//b.example)"],
  ["[a](https://)", "[a](https://)"],
  ["https://", "https://"],
  ["<b>a</b> &amp;", "<b>a</b> &amp;"],
])("%s is shown as %s", (source, shown) => {
  expect(show(parseInline(source))).toBe(shown);
});

test.each([
  ["backticks", Array.from({ length: 600 }, (_, n) => `${"`".repeat(n + 1)} `).join("")],
  ["stars", "*a ".repeat(100_000)],
  ["double stars", "**a ".repeat(100_000)],
  ["brackets", "[".repeat(200_000)],
  ["half links", "[a](https://".repeat(20_000)],
  ["addresses", "https://a.example/".repeat(20_000)],
])("a flood of %s takes no time to speak of", (_name, source) => {
  expect(show(parseInline(source)).length).toBeGreaterThan(0);
});
