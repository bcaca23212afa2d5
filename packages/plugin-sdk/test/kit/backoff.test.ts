import fc from "fast-check";
import { expect, test } from "vitest";
import { decideBackoffMs } from "../../src/kit/backoff.ts";

test("stays between half of the present step and the limit", () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, random) => {
      const delayMs = decideBackoffMs(failures, random);
      const stepMs = Math.min(30_000, 500 * 2 ** failures);
      expect(delayMs).toBeGreaterThanOrEqual(stepMs / 2);
      expect(delayMs).toBeLessThanOrEqual(stepMs);
    }),
  );
});
