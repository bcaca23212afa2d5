import { describe, expect, it, test } from "vitest";
import { formatLink, parseLinkUrl } from "../../src/markdown/link-text.ts";

describe("an address that a link may have", () => {
  it.each([
    ["https://a.example", "https://a.example/"],
    ["http://a.example/b c", "http://a.example/b%20c"],
    ["https://a.example/(b)?c=)", "https://a.example/%28b%29?c=%29"],
  ])("%s is %s", (destination, url) => {
    expect(parseLinkUrl(destination)).toBe(url);
  });

  it.each(["", "a", "/b", "javascript:alert(1)", "file:///etc/passwd", "discord://-/channels/1", "https://"])(
    "%j is none",
    (destination) => {
      expect(parseLinkUrl(destination)).toBeUndefined();
    },
  );

  test("has at most 512 characters; a longer one is not shown", () => {
    const url = (length: number): string => `https://a.example/${"b".repeat(length - 18)}`;
    expect(formatLink("a", url(512))).toBe(`[a](${url(512)})`);
    expect(formatLink("a", url(513))).toBe("a");
    expect(formatLink("", url(513))).toBe("");
  });
});
