import { styleText } from "node:util";
import { formatPlainLine } from "@banyan/core";
import type { Finding } from "./finding.ts";

const SUBJECT_WIDTH = 18;
const MARKS = { ok: ["green", "✓"], warning: ["yellow", "!"], error: ["red", "✗"] } as const;

/** A finding as a line, its cure below it, step by step. */
export function formatFinding(
  { subject, level, text, cure }: Finding,
  stream: NodeJS.WritableStream,
): readonly string[] {
  const [colour, mark] = MARKS[level];
  const line = `  ${styleText(colour, mark, { stream })} ${subject.padEnd(SUBJECT_WIDTH)} ${formatPlainLine(text)}`;
  if (cure === undefined) return [line.trimEnd()];
  const margin = " ".repeat(SUBJECT_WIDTH + 5);
  const steps = cure.split("\n").map((step) => styleText("dim", `→ ${formatPlainLine(step)}`, { stream }));
  return [line, ...steps.map((step) => `${margin}${step}`)];
}
