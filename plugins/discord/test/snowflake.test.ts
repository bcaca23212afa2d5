import fc from "fast-check";
import { expect, test } from "vitest";
import { buildSnowflake, compareSnowflakes, isSnowflake, readSnowflakeTime } from "../src/snowflake.ts";

test("an id tells when it was made, as Discord's documentation shows", () => {
  expect(readSnowflakeTime("175928847299117063")).toBe(Date.parse("2016-04-30T11:18:25.796Z"));
});

test("the smallest id of a time is not above any id of that millisecond", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_420_070_400_000, max: 4_000_000_000_000 }), (timeMs) => {
      const id = buildSnowflake(timeMs);
      expect(readSnowflakeTime(id)).toBe(timeMs);
      expect(compareSnowflakes(id, buildSnowflake(timeMs + 1))).toBeLessThan(0);
    }),
  );
});

test("ids are compared as numbers, whatever their length", () => {
  expect(["100", "99", "101", "9"].toSorted(compareSnowflakes)).toEqual(["9", "99", "100", "101"]);
  expect(compareSnowflakes("7", "7")).toBe(0);
});

test.each(["", "-1", "1.5", "12a", "1".repeat(21)])("%j is no id", (text) => {
  expect(isSnowflake(text)).toBe(false);
});
