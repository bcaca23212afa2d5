import { expect, it } from "vitest";
import { scrubValue } from "../../src/ports/scrub-value.ts";

const scrub = (text: string) => text.replaceAll("s3cret", "[secret]");

it("takes a secret out of texts and keys at any depth, and leaves all else", () => {
  const value = { a: ["s3cret", { "key s3cret": "x s3cret y" }], n: 5, t: true, z: null };
  expect(scrubValue(value, scrub)).toEqual({
    a: ["[secret]", { "key [secret]": "x [secret] y" }],
    n: 5,
    t: true,
    z: null,
  });
});

it.each([[{ a: ["clean"] }], [[1, 2]], ["clean"], [null], [7], [undefined]])(
  "gives back what is clean as it is: %j",
  (value) => {
    expect(scrubValue(value, scrub)).toBe(value);
  },
);
