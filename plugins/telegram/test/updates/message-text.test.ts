import fc from "fast-check";
import type { MessageEntity } from "grammy/types";
import { describe, expect, it, test } from "vitest";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";
import { formatMessageText } from "../../src/updates/message-text.ts";

/** An entity over `part` where it stands in the text. */
function over(text: string, part: string, entity: Partial<MessageEntity>): MessageEntity[] {
  const place = { offset: text.indexOf(part), length: part.length };
  return [Object.assign({ type: "bold" as const, ...place }, entity)];
}

describe("what a person marked", () => {
  it.each<[text: string, part: string, entity: Partial<MessageEntity>, expected: string]>([
    ["run ls now", "ls", { type: "code" }, "run `ls` now"],
    ["a `tick` here", "`tick`", { type: "code" }, "a `` `tick` `` here"],
    ["see: let x = 1 ok", "let x = 1", { type: "pre", language: "ts" }, "see: \n```ts\nlet x = 1\n```\n ok"],
    ["let x = 1", "let x = 1", { type: "pre" }, "```\nlet x = 1\n```"],
    ["a\nb ``` c\nd", "b ``` c", { type: "pre" }, "a\n````\nb ``` c\n````\nd"],
    ["x", "x", { type: "pre", language: "no such\nthing" }, "```\nx\n```"],
    ["read this", "this", { type: "text_link", url: "https://e.org/a(b)" }, "read [this](https://e.org/a%28b%29)"],
    ["read [1]", "[1]", { type: "text_link", url: "https://e.org/" }, "read [\\[1\\]](https://e.org/)"],
    ["https://e.org/", "https://e.org/", { type: "text_link", url: "https://e.org/" }, "https://e.org/"],
    ["wow!this", "this", { type: "text_link", url: "https://e.org/" }, "wow\\![this](https://e.org/)"],
    ["so bold it is", "bold", { type: "bold" }, "so bold it is"],
    ["👋🏽 run ls", "ls", { type: "code" }, "👋🏽 run `ls`"],
  ])("%j over %j", (text, part, entity, expected) => {
    expect(formatMessageText({ text, entities: over(text, part, entity) }, 0)).toBe(expected);
  });
});

test("plain text stays as it is typed, and is cut where it is said", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat({ max: 10 }), (text, start) => {
      const from = Math.min(start, text.length);
      expect(formatMessageText({ text, entities: [] }, from)).toBe(text.slice(from));
    }),
  );
});

test("T60: code survives the way to Markdown and back, and nonsense in the entities is survived", () => {
  const entity = fc.record({
    type: fc.constantFrom("code" as const, "bold" as const),
    offset: fc.integer({ min: -5, max: 40 }),
    length: fc.integer({ min: -5, max: 40 }),
  });
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.array(entity, { maxLength: 4 }), (text, entities) => {
      expect(formatMessageText({ text, entities }, 0).length).toBeGreaterThanOrEqual(text.length);
    }),
  );
  const shown = renderMarkdown(
    formatMessageText({ text: "run `a` b", entities: over("run `a` b", "`a` b", { type: "code" }) }, 0),
  );
  expect(shown).toEqual({ text: "run `a` b", entities: [{ type: "code", offset: 4, length: 5 }] });
});
