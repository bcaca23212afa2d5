import { expect, it } from "vitest";
import { createSecretScrubber } from "../../src/ports/secret-scrubber.ts";
import { ShownText } from "../../src/turns/shown-text.ts";

/** Says the pieces one by one. What was shown behind each, and how many characters were looked through for all. */
function say(pieces: readonly string[]) {
  const { scrub, holdBack } = createSecretScrubber(["hunter2-hunter2"]);
  let chars = 0;
  const shown = new ShownText({
    scrub: (text) => {
      chars += text.length;
      return scrub(text);
    },
    holdBack,
  });
  let text = "";
  const seen = pieces.map((piece) => {
    text += piece;
    return shown.grow(text, piece);
  });
  return { seen, text, chars };
}

it.each([
  ["that is registered", "hunter2-hunter2"],
  ["that is known by its shape", "banyan-secret-0123456789abcdef"],
])("a secret %s is shown at no time, though it comes in pieces, and what follows is shown", (_what, secret) => {
  const { seen } = say(["The key ", "is ", ...(secret.match(/.{1,8}/g) ?? []), ". Keep it", " well."]);
  for (const each of seen) expect(each).not.toContain(secret);
  expect(seen.at(-1)).toBe("The key is [secret]. Keep it well.");
});

it("attack 34: no part of a secret is shown while the rest of it has not come, and what only looks like one is", () => {
  const { seen } = say(["The key is hun", "ter2-", "hunter2", ", or a hunter", "."]);
  expect(seen).toEqual([
    "The key is ",
    "The key is ",
    "The key is [secret]",
    "The key is [secret], or a ",
    "The key is [secret], or a hunter.",
  ]);
});

it("a text without one is shown as it is, piece by piece", () => {
  expect(say(["one ", "two ", "three"]).seen).toEqual(["one ", "one two ", "one two three"]);
});

it("what looks like a secret does not make a long answer cost the square of its length", () => {
  const { seen, text, chars } = say(["banyan-secret-0123456789 ", ...Array.from({ length: 25_000 }, () => "word")]);
  expect(text.length).toBeGreaterThan(100_000);
  expect(chars).toBeLessThan(text.length * 200);
  const last = seen.at(-1) ?? "";
  expect(last.length).toBeGreaterThan(text.length * 0.9);
  expect(last.startsWith("[secret] word")).toBe(true);
});

it("attack 34: a secret of 16,000 characters is shown at no time, in whatever pieces it comes", () => {
  const secret = "0123456789abcdef".repeat(1_000);
  const { scrub, holdBack } = createSecretScrubber([secret]);
  // What only looks like the beginning of one is shown, so the whole must be found when it has come.
  const shown = new ShownText({ scrub, holdBack: () => 0 });
  let text = "";
  const seen = `The key is ${secret}.`.match(/.{1,4000}/g)?.map((piece) => {
    text += piece;
    return shown.grow(text, piece);
  });
  expect(holdBack(secret.slice(0, -1))).toBe(secret.length - 1);
  expect(seen?.at(-1)).toBe("The key is [secret].");
});
