export type CalcOperator = "+" | "-" | "*" | "/" | "%" | "^";

export type CalcToken =
  | { readonly kind: "number"; readonly value: number; readonly at: number }
  | { readonly kind: "operator"; readonly operator: CalcOperator; readonly at: number }
  | { readonly kind: "open" | "close"; readonly at: number };

export type CalcReading =
  | { readonly kind: "tokens"; readonly tokens: readonly CalcToken[] }
  | { readonly kind: "problem"; readonly problem: string };

/** What people type on a phone counts as the plain sign. */
const OPERATORS: ReadonlyMap<string, CalcOperator> = new Map<string, CalcOperator>([
  ["+", "+"],
  ["-", "-"],
  ["−", "-"],
  ["*", "*"],
  ["×", "*"],
  ["/", "/"],
  ["÷", "/"],
  ["%", "%"],
  ["^", "^"],
]);

/** Reads an expression into tokens; `at` counts characters from 1, as people do. */
export function readCalcTokens(expression: string): CalcReading {
  const tokens: CalcToken[] = [];
  const number = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
  for (let index = 0; index < expression.length; ) {
    const sign = expression.charAt(index);
    const at = index + 1;
    const operator = OPERATORS.get(sign);
    number.lastIndex = index;
    const digits = number.exec(expression)?.[0];
    index += digits?.length ?? 1;
    if (digits !== undefined) tokens.push({ kind: "number", value: Number(digits), at });
    else if (operator !== undefined) tokens.push({ kind: "operator", operator, at });
    else if (sign === "(" || sign === ")") tokens.push({ kind: sign === "(" ? "open" : "close", at });
    else if (sign.trim() !== "") return { kind: "problem", problem: problemWith(expression, at) };
  }
  return { kind: "tokens", tokens };
}

function problemWith(expression: string, at: number): string {
  const sign = String.fromCodePoint(expression.codePointAt(at - 1) ?? 0);
  if (sign === ",") return `“,” at character ${at}: write 1000 without separators and 0.5 with a point`;
  return `“${sign}” at character ${at} is nothing I know; I take numbers, + - * / % ^ and parentheses`;
}
