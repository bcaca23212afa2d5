import fc from "fast-check";
import type { MessageEntity } from "grammy/types";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../src/markdown/render-markdown.ts";
import { ENTITY_LIMIT } from "../../src/markdown/rendered-text.ts";

const word = fc.string({
  unit: fc.constantFrom(..."abcdefXYZ0123456789äß漢😀.,;?!()/'\"%$"),
  minLength: 1,
  maxLength: 8,
});
/** A number with a full stop at the start of a line is markup, too: it is counted. */
const unmarkedWord = word.filter((text) => !/^\d+[.)]$/.test(text));
const space = fc.string({ unit: fc.constantFrom(" ", " ", "\n"), minLength: 1, maxLength: 6 });
const markup = fc.oneof(
  fc.constantFrom(
    "**",
    "*",
    "_",
    "__",
    "~~",
    "`",
    "``",
    "[",
    "](http://a.example/b)",
    "](c)",
    "![",
    "]",
    "<",
    ">",
    "\\",
  ),
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
    "|",
    "&nbsp;",
    "&amp;",
    "<b>",
    "http://a.example",
  ),
  fc.constantFrom("\ud83d", "\ude00", "\0", "\u00a0", "\ufeff", "😀", "e\u0301"),
  word,
);
const anyMarkdown = fc.oneof(
  fc.array(markup, { maxLength: 80, size: "max" }).map((list) => list.join("")),
  fc.string({ unit: "binary" }),
);

const contains = (outer: MessageEntity, inner: MessageEntity): boolean =>
  outer.offset <= inner.offset && inner.offset + inner.length <= outer.offset + outer.length;
const overlaps = (one: MessageEntity, other: MessageEntity): boolean =>
  one.offset < other.offset + other.length && other.offset < one.offset + one.length;

describe("attack 17: for any text", () => {
  test("every word of a text without markup is shown, in order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(space, unmarkedWord)), (pairs) => {
        const source = pairs.flat().join("");
        const words = source.split(/\s+/).filter((part) => part !== "");
        expect(
          renderMarkdown(source)
            .text.split(/\s+/)
            .filter((part) => part !== ""),
        ).toEqual(words);
      }),
    );
  });

  test("nothing is shown only for a text that is blank", () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        expect(renderMarkdown(source).text.trim() === "").toBe(source.trim() === "");
      }),
    );
  });

  test("the text is valid Unicode and does not end with whitespace", () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        const { text } = renderMarkdown(source);
        expect(text.isWellFormed()).toBe(true);
        expect(text).toBe(text.trimEnd());
      }),
    );
  });

  test("entities are in order, not empty, and neither begin nor end with whitespace", () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        const { text, entities } = renderMarkdown(source);
        expect(entities.length).toBeLessThanOrEqual(ENTITY_LIMIT);
        expect(entities).toEqual(entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length));
        for (const entity of entities) {
          const covered = text.slice(entity.offset, entity.offset + entity.length);
          expect(covered).toHaveLength(entity.length);
          expect(covered.isWellFormed()).toBe(true);
          expect(covered.trimEnd()).toBe(covered);
          expect(covered.trim()).not.toBe("");
          const startsWithCode = entities.some((other) => other.type === "pre" && other.offset === entity.offset);
          if (!startsWithCode) expect(covered.trimStart()).toBe(covered);
        }
      }),
    );
  });

  test("entities nest as Telegram wants them", () => {
    fc.assert(
      fc.property(anyMarkdown, (source) => {
        const { entities } = renderMarkdown(source);
        for (const [index, outer] of entities.entries()) {
          for (const inner of entities.slice(index + 1)) {
            if (!overlaps(outer, inner)) continue;
            expect(contains(outer, inner)).toBe(true);
            expect(outer.type).not.toBe(inner.type);
            expect(["code", "pre"]).not.toContain(outer.type);
            if (inner.type === "code" || inner.type === "pre") expect(outer.type).toBe("blockquote");
          }
        }
      }),
    );
  });
});
