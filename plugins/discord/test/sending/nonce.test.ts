import fc from "fast-check";
import { expect, test } from "vitest";
import { buildNonce } from "../../src/sending/nonce.ts";

test("the same part of the same delivery has the same key in each life", () => {
  expect(buildNonce("d1", 0)).toBe(buildNonce("d1", 0));
  expect(buildNonce("d1", 0)).toBe("CPoqxU-dX6pYuhv-gi2PTRJD");
});

test("D5: a key has at most 25 characters, and no two parts share one", () => {
  const keys = new Set(["d1", "d2", "d1|0"].flatMap((id) => [0, 1, "draft"].map((part) => buildNonce(id, part))));
  expect(keys.size).toBe(9);
  fc.assert(fc.property(fc.string(), fc.nat(), (id, part) => buildNonce(id, part).length <= 25));
});
