import { buildKnownSecret } from "@banyan/plugin-sdk";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createSecretScrubber } from "../../src/ports/secret-scrubber.ts";

it.each([
  ["as it is", "123456:AAbb-Cc", "bot123456:AAbb-Cc/sendMessage", "bot[secret]/sendMessage"],
  ["percent-encoded", "pass/word?&", "token=pass%2Fword%3F%26!", "token=[secret]!"],
  ["in JSON", 'quo"ted\\secret', JSON.stringify({ token: 'quo"ted\\secret' }), '{"token":"[secret]"}'],
  ["with a line end, in JSON", "line one\nline two", '"line one\\nline two"', '"[secret]"'],
  ["more than once", "abcdef", "abcdef abcdef", "[secret] [secret]"],
  ["with signs of a pattern", "$&.*+(x)", "a$&.*+(x)b", "a[secret]b"],
])("masks a secret %s", (_form, secret, text, clean) => {
  expect(createSecretScrubber([secret]).scrub(text)).toBe(clean);
});

it("leaves nothing of a secret that begins with another one, in whatever order they came", () => {
  for (const secrets of [
    ["abcdef", "abcdef-more"],
    ["abcdef-more", "abcdef"],
  ]) {
    expect(createSecretScrubber(secrets).scrub("x abcdef-more y abcdef z")).toBe("x [secret] y [secret] z");
  }
});

it("does not take a text that is too short for a secret", () => {
  const scrubber = createSecretScrubber(["a", "", "12345"]);
  expect(scrubber.scrub("a 12345")).toBe("a 12345");
  scrubber.add("123456");
  expect(scrubber.scrub("a 123456")).toBe("a [secret]");
});

it("masks what is a secret by its shape, which nobody has registered, raw, in a URL, in JSON, and cut", () => {
  const { scrub } = createSecretScrubber(["secret-4711"]);
  const known = buildKnownSecret("q_Xw-".repeat(8).padEnd(43, "0"));
  const text = `Bearer ${known}, ${encodeURIComponent(known)}&x ${JSON.stringify({ known })} ${known.slice(0, 30)}…`;
  expect(scrub(text)).toBe('Bearer [secret], [secret]&x {"known":"[secret]"} [secret]…');
  expect(scrub("no banyan-secret-word")).toBe("no banyan-secret-word");
});

it("takes a secret that is no valid text", () => {
  expect(createSecretScrubber(["\ud800secret"]).scrub("is \ud800secret")).toBe("is [secret]");
});

it("lets no registered secret through, raw, in a URL or in JSON", () => {
  const secret = fc
    .string({ minLength: 6, maxLength: 40, unit: "grapheme" })
    .filter((text) => !"[secret]".includes(text));
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 5 }), fc.string(), (secrets, around) => {
      const scrubber = createSecretScrubber(secrets);
      for (const each of secrets) {
        for (const form of [each, encodeURIComponent(each), JSON.stringify(each).slice(1, -1)]) {
          // Two masks beside each other may look like a secret of brackets; a mask is taken for nothing here.
          expect(scrubber.scrub(`${around}|${form}|`).replaceAll("[secret]", "")).not.toContain(form);
        }
      }
    }),
    { numRuns: 100 },
  );
});
