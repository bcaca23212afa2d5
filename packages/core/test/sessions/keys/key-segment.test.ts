import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSegment, encodeSegment, isEncodedSegment } from "../../../src/sessions/keys/key-segment.ts";
import { codeOf, MESSAGE_FORM, messageOf } from "./coded-failure.ts";
import { anyText, platformId } from "./session-identity.ts";

describe("encodeSegment", () => {
  it.each([
    ["AZaz09_.@+=-", "AZaz09_.@+=-"],
    ["a:b", "a%3Ab"],
    ["!'()*~", "%21%27%28%29%2A%7E"],
    ["/\\", "%2F%5C"],
    ["%3A", "%253A"],
    ["é", "%C3%A9"],
    ["🌳", "%F0%9F%8C%B3"],
    ["\u0000\n\u0001", "%00%0A%01"],
    [" x y ", "x%20y"],
    ["\uFEFF1\u00A0", "1"],
  ])("writes %j as %j", (id, segment) => {
    expect(encodeSegment(id)).toBe(segment);
  });

  it.each([undefined, null, "", " \t\n", "\uFEFF"])("fails closed for %j", (id) => {
    expect(codeOf(() => encodeSegment(id))).toBe("invalid_segment");
  });

  it.each(["\ud800", "a\udc00b", "\udc00\ud800"])("refuses the lone surrogate in %j", (id) => {
    expect(codeOf(() => encodeSegment(id))).toBe("invalid_segment");
    expect(messageOf(() => encodeSegment(id, "peerId"))).toMatch(MESSAGE_FORM);
    expect(messageOf(() => encodeSegment(id, "peerId"))).toContain("peerId");
  });

  it("gives back any id, trimmed", () => {
    fc.assert(
      fc.property(platformId, (id) => {
        const segment = encodeSegment(id);
        expect(isEncodedSegment(segment)).toBe(true);
        expect(segment).toMatch(/^[A-Za-z0-9_.@+=%-]+$/);
        expect(decodeSegment(segment)).toBe(id.trim());
      }),
    );
  });

  it("encodes or refuses any text, and never lets two ids meet", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 20 }), (texts) => {
        const ids = new Set(texts.map((text) => text.trim()).filter((id) => id !== "" && id.isWellFormed()));
        expect(new Set([...ids].map((id) => encodeSegment(id))).size).toBe(ids.size);
      }),
    );
  });
});

describe("decodeSegment", () => {
  it.each(["", "a b", "a:b", "%3a", "%", "%4", "%zz", "é"])("refuses %j, which is not in encoded form", (segment) => {
    expect(isEncodedSegment(segment)).toBe(false);
    expect(codeOf(() => decodeSegment(segment))).toBe("invalid_segment");
  });

  it.each(["%80", "%C3", "%ED%A0%80", "%C0%AF"])("refuses %j, whose bytes are not UTF-8", (segment) => {
    expect(codeOf(() => decodeSegment(segment))).toBe("invalid_segment");
    expect(messageOf(() => decodeSegment(segment))).toMatch(MESSAGE_FORM);
  });

  it("reads an over-encoded segment as the same id", () => {
    expect(decodeSegment("%61lice")).toBe("alice");
  });
});
