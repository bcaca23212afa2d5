import type { CalcOperator } from "./calc-token.ts";

/** `negate` is the minus before an operand. */
export type CalcOperation = CalcOperator | "negate";

export type CalcValue =
  | { readonly kind: "value"; readonly value: number }
  | { readonly kind: "problem"; readonly problem: string };

interface Binding {
  readonly strength: number;
  readonly isRightToLeft: boolean;
}

/** Minus binds weaker than `^`, so -2 ^ 2 is -4, as in mathematics. */
const BINDINGS: Readonly<Record<CalcOperation, Binding>> = {
  "+": { strength: 1, isRightToLeft: false },
  "-": { strength: 1, isRightToLeft: false },
  "*": { strength: 2, isRightToLeft: false },
  "/": { strength: 2, isRightToLeft: false },
  "%": { strength: 2, isRightToLeft: false },
  negate: { strength: 3, isRightToLeft: true },
  "^": { strength: 4, isRightToLeft: true },
};

/** Whether `left`, which stands before `right`, is worked out first. */
export function bindsBefore(left: CalcOperation, right: CalcOperation): boolean {
  const difference = BINDINGS[left].strength - BINDINGS[right].strength;
  return difference > 0 || (difference === 0 && !BINDINGS[right].isRightToLeft);
}

/** `left` is 0 for `negate`. */
export function calculate(operation: CalcOperation, left: number, right: number): CalcValue {
  if ((operation === "/" || operation === "%") && right === 0) return problem("a division by zero has no result");
  if (operation === "^" && left === 0 && right < 0) return problem("zero to a negative power is a division by zero");
  const value = resultOf(operation, left, right);
  if (Number.isNaN(value)) return problem("a root of a negative number is not a real number");
  if (!Number.isFinite(value)) return problem("the result is larger than I can count (about 1.8e308)");
  return { kind: "value", value };
}

function resultOf(operation: CalcOperation, left: number, right: number): number {
  switch (operation) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "^":
      return left ** right;
    case "negate":
      return -right;
  }
}

function problem(text: string): CalcValue {
  return { kind: "problem", problem: text };
}
