import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDraft, isDraftText } from "../../src/sending/draft-text.ts";

const same = (source: string): string => source;

test("a growing answer ends with a mark, and an open fence is closed before it", () => {
  expect(formatDraft("So far", same)).toBe("So far ▍");
  expect(formatDraft("Look:\n```ts\nlet a", same)).toBe("Look:\n```ts\nlet a\n```\n ▍");
  expect(isDraftText("So far ▍")).toBe(true);
  expect(isDraftText("So far.")).toBe(false);
});

test("it is never longer than a message may be, and no character is cut in two", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 0, maxLength: 3_000 }), (text) => {
      const shown = formatDraft(text, same);
      expect(shown.length).toBeLessThanOrEqual(2_000);
      expect(shown.isWellFormed()).toBe(true);
      expect(isDraftText(shown)).toBe(true);
    }),
  );
});
