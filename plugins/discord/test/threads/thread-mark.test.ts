import fc from "fast-check";
import { expect, test } from "vitest";
import { buildThreadMark, formatStarter, limitName } from "../../src/threads/thread-mark.ts";

test("the starter shows the name as it is written, and the thread's mark", () => {
  const mark = buildThreadMark("b1");
  expect(mark).toMatch(/^[0-9a-f]{8}$/);
  expect(formatStarter("count *words*", mark)).toBe(`🌱 **count \\*words\\*** (\`${mark}\`)`);
});

test("D6: a thread's name is one line of 1 to 100 characters", () => {
  expect(limitName(" two\n lines ")).toBe("two lines");
  expect(limitName(" \n ")).toBe("sub-agent");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (name) => {
      const limited = limitName(name);
      expect(limited.length).toBeGreaterThan(0);
      expect(limited.length).toBeLessThanOrEqual(100);
      expect(limited.isWellFormed()).toBe(true);
    }),
  );
});
