import { bindsBefore, type CalcOperation, type CalcValue, calculate } from "./calc-operation.ts";
import { type CalcToken, readCalcTokens } from "./calc-token.ts";

/** Longer is no longer arithmetic that somebody typed. */
export const CALC_LIMIT_CHARS = 200;
/** Parentheses inside each other. */
export const CALC_LIMIT_DEPTH = 32;

/** Works out an expression by two stacks: no recursion, and nothing of the text is ever run as a program. */
export function calculateExpression(expression: string): CalcValue {
  if (expression.length > CALC_LIMIT_CHARS) {
    return problem(`it has ${expression.length} characters; I take ${CALC_LIMIT_CHARS}`);
  }
  const reading = readCalcTokens(expression);
  if (reading.kind === "problem") return problem(reading.problem);
  if (reading.tokens.length === 0) return problem("there is nothing to work out; try calc 2 * (3 + 4)");
  const stacks = new CalcStacks();
  for (const token of reading.tokens) {
    const wrong = stacks.take(token);
    if (wrong !== undefined) return problem(wrong);
  }
  return stacks.finish();
}

class CalcStacks {
  readonly #values: number[] = [];
  readonly #pending: (CalcOperation | "open")[] = [];
  #depth = 0;
  #expectsOperand = true;

  /** Answers what is wrong with the token, if anything. */
  take(token: CalcToken): string | undefined {
    return this.#expectsOperand ? this.#takeOperand(token) : this.#takeAfterOperand(token);
  }

  finish(): CalcValue {
    if (this.#expectsOperand) return problem("something is missing at the end");
    if (this.#depth > 0) return problem(`${this.#depth} “(” without “)”`);
    const wrong = this.#applyWhile(() => true);
    if (wrong !== undefined) return problem(wrong);
    return { kind: "value", value: this.#popValue() };
  }

  #takeOperand(token: CalcToken): string | undefined {
    if (token.kind === "number") {
      if (!Number.isFinite(token.value)) return `the number at character ${token.at} is larger than I can count`;
      this.#values.push(token.value);
      this.#expectsOperand = false;
      return undefined;
    }
    if (token.kind === "open") {
      this.#pending.push("open");
      this.#depth += 1;
      return this.#depth > CALC_LIMIT_DEPTH ? `more than ${CALC_LIMIT_DEPTH} parentheses inside each other` : undefined;
    }
    if (token.kind === "operator" && token.operator === "-") {
      this.#pending.push("negate");
      return undefined;
    }
    if (token.kind === "operator" && token.operator === "+") return undefined;
    return `a number is missing before character ${token.at}`;
  }

  #takeAfterOperand(token: CalcToken): string | undefined {
    if (token.kind === "operator") {
      const wrong = this.#applyWhile((pending) => bindsBefore(pending, token.operator));
      this.#pending.push(token.operator);
      this.#expectsOperand = true;
      return wrong;
    }
    if (token.kind !== "close") return `an operator such as * is missing before character ${token.at}`;
    if (this.#depth === 0) return `the “)” at character ${token.at} has no “(”`;
    const wrong = this.#applyWhile(() => true);
    this.#pending.pop();
    this.#depth -= 1;
    return wrong;
  }

  /** Works out what is pending, back to the last “(”. */
  #applyWhile(isDue: (pending: CalcOperation) => boolean): string | undefined {
    for (let pending = this.#pending.at(-1); pending !== undefined; pending = this.#pending.at(-1)) {
      if (pending === "open" || !isDue(pending)) return undefined;
      this.#pending.pop();
      const right = this.#popValue();
      const result = calculate(pending, pending === "negate" ? 0 : this.#popValue(), right);
      if (result.kind === "problem") return result.problem;
      this.#values.push(result.value);
    }
    return undefined;
  }

  #popValue(): number {
    const value = this.#values.pop();
    if (value === undefined)
      throw new Error("Working out an expression: an operand is missing; the order was not kept.");
    return value;
  }
}

function problem(text: string): CalcValue {
  return { kind: "problem", problem: text };
}
