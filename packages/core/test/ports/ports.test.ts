import { expect, it } from "vitest";
import { createIdMaker } from "../../src/ports/ports.ts";

it("makes ids that grow, whatever the clock does, and none twice", () => {
  let nowMs = 1_700_000_000_000;
  const createId = createIdMaker(() => nowMs);
  const ids: string[] = [];
  for (const jumpMs of [0, 1, -3_600_000, 0, 3_600_000, 50]) {
    nowMs += jumpMs;
    for (let n = 0; n < 1_000; n += 1) ids.push(createId());
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual([...ids].sort());
  expect(ids.every((id) => /^[a-z0-9]{21}$/.test(id))).toBe(true);
});

it("gives two makers of the same millisecond different ids", () => {
  const ids = Array.from({ length: 100 }, () => createIdMaker(() => 5)());
  expect(new Set(ids).size).toBe(100);
});
