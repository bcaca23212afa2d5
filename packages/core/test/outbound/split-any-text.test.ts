import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitText, type TextPart } from "../../src/outbound/split-text.ts";

const byUnits = (source: string): number => source.length;
const byBytes = (source: string): number => Buffer.byteLength(source);
/** Like a channel that renders links: what is in parentheses after a bracket does not count. */
const withoutLinks = (source: string): number => source.replace(/\]\([^()\s]*\)/g, "]").length;

const slices = (source: string, parts: TextPart[]): string[] => parts.map((p) => source.slice(p.start, p.end));
const asSent = (source: string, parts: TextPart[]): string[] =>
  parts.map((p) => p.prefix + source.slice(p.start, p.end) + p.suffix);

const fragment = fc.oneof(
  fc.constantFrom("word", "two words. ", "\n", "\n\n", "\r\n", " ", "\t", "。", "[a](http://b.example/c)", "- ", "`x`"),
  fc.constantFrom(
    "\n```ts\n",
    "\n```\n",
    "\n~~~\n",
    "\n````md\n",
    "\n````\n",
    "\n  ```\n",
    "\n- ```js\n",
    "\n```x```\n",
  ),
  fc.constantFrom("😀", "e\u0301", "👩‍👩‍👧‍👦", "🇩🇪", "\ud83d", "\ude00", "\0", "\u00a0", "漢字"),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);
/** No run of whitespace that is longer than the smallest budget below, so the join is exact. */
const anyText = fc
  .array(fragment, { minLength: 10, maxLength: 80, size: "max" })
  .map((fragments) => fragments.join("").replace(/\s{12,}/g, (run) => run.slice(0, 11)));
const anyLimit = fc.record({
  limit: fc.integer({ min: 100, max: 400 }),
  measure: fc.constantFrom(byUnits, byBytes, withoutLinks),
  markdown: fc.boolean(),
});

const cutsPair = (source: string, at: number): boolean =>
  /^[\ud800-\udbff]$/.test(source.charAt(at - 1)) && /^[\udc00-\udfff]$/.test(source.charAt(at));

/** Whether a code fence is open at the end, by the rules of CommonMark for lines outside block quotes. */
function leavesFenceOpen(text: string): boolean {
  let open: { char: string; length: number; indent: number } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, lead = "", marker = "", rest = ""] =
      /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    if (marker === "") continue;
    if (open === undefined) {
      if (marker.startsWith("~") || !rest.includes("`")) {
        open = { char: marker.charAt(0), length: marker.length, indent: lead.length };
      }
    } else if (/^[ \t]*$/.test(rest) && /^[ \t]*$/.test(lead) && lead.length <= open.indent + 3) {
      if (marker.startsWith(open.char) && marker.length >= open.length) open = undefined;
    }
  }
  return open !== undefined;
}

describe("for any text and limit", () => {
  test("the parts join to the source", () => {
    fc.assert(
      fc.property(anyText, anyLimit, (source, limit) => {
        expect(slices(source, splitText(source, limit)).join("")).toBe(source.trim() === "" ? "" : source);
      }),
    );
  });

  test("whatever the whitespace, nothing but whitespace is left out", () => {
    const spaced = fc
      .array(
        fc.oneof(
          fragment,
          fc.nat(90).map((n) => "\n ".repeat(n)),
        ),
      )
      .map((list) => list.join(""));
    fc.assert(
      fc.property(spaced, anyLimit, (source, limit) => {
        const parts = splitText(source, limit);
        const ends = [0, ...parts.map((p) => p.end)];
        const gaps = [...parts.map((p) => p.start), source.length].map((start, i) => source.slice(ends[i], start));
        expect(gaps.join("").trim()).toBe("");
      }),
    );
  });

  test("every part is within the limit less the reserve, as it is sent", () => {
    fc.assert(
      fc.property(anyText, anyLimit, (source, limit) => {
        for (const text of asSent(source, splitText(source, limit))) {
          expect(limit.measure(text)).toBeLessThanOrEqual(limit.limit - 32);
        }
      }),
    );
  });

  test("no part is only whitespace or begins inside a surrogate pair", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (source, limit) => {
        for (const part of splitText(source, { limit, measure: byUnits, reserveUnits: 0 })) {
          expect(source.slice(part.start, part.end).trim()).not.toBe("");
          expect(cutsPair(source, part.start)).toBe(false);
        }
      }),
    );
  });

  test("no part leaves a code fence open, as it is sent", () => {
    fc.assert(
      fc.property(anyText, anyLimit, (source, limit) => {
        for (const text of asSent(source, splitText(source, { ...limit, markdown: true }))) {
          expect(leavesFenceOpen(text), text).toBe(false);
        }
      }),
    );
  });

  test("parts advance even if the measure is odd", () => {
    const odd = fc.func(fc.oneof(fc.double(), fc.integer()));
    fc.assert(
      fc.property(anyText, odd, fc.integer({ min: -5, max: 200 }), (source, measure, limit) => {
        const parts = splitText(source, { limit, measure: (text) => Number(measure(text)), markdown: true });
        for (const part of parts) expect(part.end).toBeGreaterThan(part.start);
        expect(slices(source, parts).join("").replace(/\s/g, "")).toBe(source.replace(/\s/g, ""));
      }),
    );
  });
});
