import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CALC_LIMIT_CHARS, CALC_LIMIT_DEPTH, calculateExpression } from "../../../src/demo/calc/calc-expression.ts";

it.each([
  ["1", 1],
  ["2 + 3 * 4", 14],
  ["(2 + 3) * 4", 20],
  ["2 - 3 - 4", -5],
  ["2 - (3 - 4)", 3],
  ["100 / 10 / 5", 2],
  ["7 % 4 * 2", 6],
  ["-7 % 4", -3],
  ["2 ^ 3 ^ 2", 512],
  ["-2 ^ 2", -4],
  ["(-2) ^ 2", 4],
  ["2 ^ -1", 0.5],
  ["2 * -3", -6],
  ["2 - -3", 5],
  ["--2", 2],
  ["+2", 2],
  [".5 + 1.", 1.5],
  ["1e3 / 2", 500],
  ["6 × 7 ÷ 2 − 1", 20],
  ["\t2\u00a0+\n2 ", 4],
])("%s = %d", (expression, value) => {
  expect(calculateExpression(expression)).toEqual({ kind: "value", value });
});

it.each([
  ["", "there is nothing to work out; try calc 2 * (3 + 4)"],
  ["2 +", "something is missing at the end"],
  ["(2", "1 “(” without “)”"],
  ["2)", "the “)” at character 2 has no “(”"],
  ["()", "a number is missing before character 2"],
  ["2 * / 3", "a number is missing before character 5"],
  ["2 3", "an operator such as * is missing before character 3"],
  ["2(3)", "an operator such as * is missing before character 2"],
  ["1,000", "“,” at character 2: write 1000 without separators and 0.5 with a point"],
  ["2 + x", "“x” at character 5 is nothing I know; I take numbers, + - * / % ^ and parentheses"],
  ["2 + 🌱", "“🌱” at character 5 is nothing I know; I take numbers, + - * / % ^ and parentheses"],
  ["1 / 0", "a division by zero has no result"],
  ["1 / (2 - 2)", "a division by zero has no result"],
  ["1 % 0", "a division by zero has no result"],
  ["0 ^ -1", "zero to a negative power is a division by zero"],
  ["(-8) ^ 0.5", "a root of a negative number is not a real number"],
  ["10 ^ 400", "the result is larger than I can count (about 1.8e308)"],
  ["1e999", "the number at character 1 is larger than I can count"],
  ["process.exit()", "“p” at character 1 is nothing I know; I take numbers, + - * / % ^ and parentheses"],
])("says what is wrong with %j", (expression, problem) => {
  expect(calculateExpression(expression)).toEqual({ kind: "problem", problem });
});

describe("limits", () => {
  it("takes expressions up to its length", () => {
    expect(calculateExpression("1".padEnd(CALC_LIMIT_CHARS, " "))).toMatchObject({ kind: "value" });
    expect(calculateExpression("1".padEnd(CALC_LIMIT_CHARS + 1, " "))).toEqual({
      kind: "problem",
      problem: "it has 201 characters; I take 200",
    });
  });

  it("takes parentheses up to its depth", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}1${")".repeat(depth)}`;
    expect(calculateExpression(nested(CALC_LIMIT_DEPTH))).toMatchObject({ kind: "value" });
    expect(calculateExpression(nested(CALC_LIMIT_DEPTH + 1))).toMatchObject({ kind: "problem" });
  });
});

it("answers a value or a problem to any text, and never throws", () => {
  const sign = fc.constantFrom(..."0123456789.+-*/%^() e,x");
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 40 }), (text) => {
      const result = calculateExpression(text);
      expect(result.kind === "problem" || Number.isFinite(result.value)).toBe(true);
    }),
  );
});
