import fc from "fast-check";
import { expect, it } from "vitest";
import { freezeResult, RESULT_LIMIT_BYTES } from "../../src/runs/freeze-result.ts";

const NOTICE = /\n\n… \(cut: the result was (\d+) bytes long, the limit is 102400\)$/;

it("a result that fits is kept as it is, without the white space around it", () => {
  expect(freezeResult("  12 files\n")).toBe("12 files");
  expect(freezeResult("é".repeat(51_200))).toBe("é".repeat(51_200));
});

it("one that does not is cut, and says how long it was", () => {
  const frozen = freezeResult("é".repeat(51_201));
  expect(NOTICE.exec(frozen)?.[1]).toBe("102402");
  expect(frozen.startsWith("é".repeat(51_000))).toBe(true);
});

it("whatever is said, it stays below the limit, is well formed, and begins as it was said", () => {
  const long = fc.tuple(fc.constantFrom("a", "é", "漢", "👍", "\ud800"), fc.integer({ min: 20_000, max: 110_000 }));
  fc.assert(
    fc.property(long, fc.string({ unit: "grapheme" }), ([unit, count], start) => {
      const said = `${start.trim()}${unit.repeat(count)}`;
      const frozen = freezeResult(said);
      expect(Buffer.byteLength(frozen)).toBeLessThanOrEqual(RESULT_LIMIT_BYTES);
      expect(frozen.isWellFormed()).toBe(true);
      expect(said.toWellFormed().startsWith(frozen.replace(NOTICE, ""))).toBe(true);
    }),
    { numRuns: 40 },
  );
});
