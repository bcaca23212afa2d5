import { expect, it } from "vitest";
import { addDetectedEntities } from "../src/text/detected-entity.ts";
import type { Entity } from "../src/text/entity.ts";
import { parseFormattedText } from "../src/text/formatted-text.ts";
import { parseHtml } from "../src/text/html.ts";
import { parseMarkdownV2 } from "../src/text/markdown-v2.ts";

it.each([
  [
    "a <b>b <i>c</i></b>",
    "a b c",
    [
      ["bold", 2, 3],
      ["italic", 4, 1],
    ],
  ],
  ["&lt;&amp;&#65;&#x1F600;<u>x</u>", "<&A😀x", [["underline", 5, 1]]],
  ["a & b &copy; c", "a & b &copy; c", []],
  ['<a href="https://e.org/?a=1&amp;b=2">x</a>', "x", [["text_link", 0, 1, { url: "https://e.org/?a=1&b=2" }]]],
  ["<a>e.org</a>", "e.org", [["text_link", 0, 5, { url: "http://e.org/" }]]],
  ['<pre><code class="language-ts">let a</code></pre>', "let a", [["pre", 0, 5, { language: "ts" }]]],
  [
    '<span class="tg-spoiler">s</span><tg-spoiler>t</tg-spoiler>',
    "st",
    [
      ["spoiler", 0, 1],
      ["spoiler", 1, 1],
    ],
  ],
  ["<blockquote expandable>q</blockquote>", "q", [["expandable_blockquote", 0, 1]]],
  ['<tg-emoji emoji-id="5368">👍</tg-emoji>', "👍", [["custom_emoji", 0, 2, { custom_emoji_id: "5368" }]]],
  ["<B>x</B><s></s>", "x", [["bold", 0, 1]]],
] satisfies [string, string, [string, number, number, object?][]][])("renders HTML %s", (source, text, entities) => {
  expect(parseHtml(source)).toEqual({
    ok: true,
    text,
    entities: entities.map(([type, offset, length, more]) => ({ type, offset, length, ...more })),
  });
});

it.each([
  ["é<h1>x</h1>", 'Unsupported start tag "h1" at byte offset 2'],
  ["<b>x", 'Can\'t find end tag corresponding to start tag "b"'],
  ["<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'],
  ["x</b>", "Unexpected end tag at byte offset 1"],
  ["<b", "Unclosed start tag at byte offset 0"],
  ["<b>x</b", "Unclosed end tag at byte offset 4"],
  ["1 < 2", 'Unsupported start tag "" at byte offset 2'],
  ["<a href>x</a>", 'Expected equal sign in declaration of an attribute of the tag "a" at byte offset 0'],
  ['<span class="x">y</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
])("refuses HTML %s", (source, reason) => {
  expect(parseHtml(source)).toEqual({ ok: false, reason });
});

it.each([
  [
    "*a _b_*",
    "a b",
    [
      ["bold", 0, 3],
      ["italic", 2, 1],
    ],
  ],
  [
    "__u__ ~s~ ||p||",
    "u s p",
    [
      ["underline", 0, 1],
      ["strikethrough", 2, 1],
      ["spoiler", 4, 1],
    ],
  ],
  ["1\\.5 \\* 2", "1.5 * 2", []],
  [
    "`a_b` ```ts\nlet a\n```",
    "a_b let a\n",
    [
      ["code", 0, 3],
      ["pre", 4, 6, { language: "ts" }],
    ],
  ],
  ["[x](https://e.org/\\))", "x", [["text_link", 0, 1, { url: "https://e.org/)" }]]],
  ["![👍](tg://emoji?id=5368)", "👍", [["custom_emoji", 0, 2, { custom_emoji_id: "5368" }]]],
  [">a\n>b\nc", "a\nb\nc", [["blockquote", 0, 3]]],
  [">a||", "a", [["expandable_blockquote", 0, 1]]],
] satisfies [string, string, [string, number, number, object?][]][])(
  "renders MarkdownV2 %s",
  (source, text, entities) => {
    expect(parseMarkdownV2(source)).toEqual({
      ok: true,
      text,
      entities: entities.map(([type, offset, length, more]) => ({ type, offset, length, ...more })),
    });
  },
);

it.each([
  ["1.5", "Character '.' is reserved and must be escaped with the preceding '\\'"],
  ["é*x", "Can't find end of Bold entity at byte offset 2"],
  ["`x", "Can't find end of Code entity at byte offset 0"],
  ["[x](y", "Can't find end of a URL at byte offset 3"],
])("refuses MarkdownV2 %s", (source, reason) => {
  expect(parseMarkdownV2(source)).toEqual({ ok: false, reason });
});

it("trims blanks, cleans control characters and moves entities with the text", () => {
  const bold = { type: "bold", offset: 6, length: 4 } as const;
  const formatted = parseFormattedText({ text: " \na\r\tb\r\nc  ", parseMode: undefined, entities: [bold] });
  expect(formatted).toEqual({ ok: true, text: "a b\nc", entities: [{ type: "bold", offset: 3, length: 2 }] });
});

it("finds commands, mentions, links and hashtags, but not inside code", () => {
  const code = { type: "code", offset: 0, length: 3 } as const;
  const found = addDetectedEntities("/no /spawn@grove_bot @ada #tag https://e.org/x. a/b", [code]);
  expect(found.map(({ type, offset, length }) => [type, offset, length])).toEqual([
    ["code", 0, 3],
    ["bot_command", 4, 16],
    ["mention", 21, 4],
    ["hashtag", 26, 4],
    ["url", 31, 15],
  ]);
});

it.each([
  ["mail ada@e.org now", [["email", 5, 9]]],
  [
    "see e.org/a?b=1, or www.example.com.",
    [
      ["url", 4, 11],
      ["url", 20, 15],
    ],
  ],
  ["HTTPS://E.ORG", [["url", 0, 13]]],
  ["$USD and $usd", [["cashtag", 0, 4]]],
  ["call +12025550123!", [["phone_number", 5, 12]]],
  ["version 1.2.3, file.txt and e.g. this", []],
  ["😀 @ada_l", [["mention", 3, 6]]],
  ["x@grove_bot /a@grove_bot", [["bot_command", 12, 12]]],
] satisfies [string, [string, number, number][]][])("T60: finds in %j what Telegram marks", (text, expected) => {
  expect(addDetectedEntities(text, []).map(({ type, offset, length }) => [type, offset, length])).toEqual(expected);
});

it("of more than 100 entities the styles are dropped from the end, and links that take too much are refused", () => {
  const text = "x".repeat(300);
  const bold = (at: number): Entity => ({ type: "bold", offset: at, length: 1 });
  const link = (at: number, url: string): Entity => ({ type: "text_link", offset: at, length: 1, url });
  const parse = (entities: readonly Entity[]) => parseFormattedText({ text, parseMode: undefined, entities });
  const many = Array.from({ length: 120 }, (_, at) => (at < 60 ? bold(at) : link(at, "https://e.org/")));
  const parsed = parse(many);
  const kept = parsed.ok ? parsed.entities.map(({ type }) => type) : [];
  expect([kept.filter((type) => type === "text_link").length, kept.length]).toEqual([60, 100]);
  const large = (count: number) =>
    Array.from({ length: count }, (_, at) => link(at, `https://e.org/${"x".repeat(170)}`));
  expect(parse(large(47)).ok).toBe(true);
  expect(parse(large(48))).toMatchObject({ ok: false, description: "Bad Request: ENTITIES_TOO_LONG" });
});
