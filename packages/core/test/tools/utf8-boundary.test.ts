import fc from "fast-check";
import { expect, it } from "vitest";
import { findUtf8Boundary } from "../../src/tools/utf8-boundary.ts";

it.each([
  ["abc", 2, 2],
  ["aé", 2, 1],
  ["aé", 3, 3],
  ["€", 2, 0],
  ["€", 3, 3],
  ["a🌱", 2, 1],
  ["a🌱", 4, 1],
  ["a🌱", 5, 5],
  ["abc", 0, 0],
])("%j cut at %i is cut at %i", (text, length, boundary) => {
  expect(findUtf8Boundary(Buffer.from(text), length)).toBe(boundary);
});

it("cuts what is no text where it is", () => {
  expect(findUtf8Boundary(Buffer.alloc(9, 0x80), 7)).toBe(7);
});

it("never cuts a character, and gives up less than one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text);
      const length = Math.min(at, bytes.length);
      const boundary = findUtf8Boundary(bytes, length);
      expect(text.startsWith(bytes.subarray(0, boundary).toString())).toBe(true);
      expect(length - boundary).toBeLessThan(4);
    }),
  );
});
