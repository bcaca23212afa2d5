import { styleText } from "node:util";
import { formatPlainLine } from "@banyan/core";
import { wrapHanging } from "../terminal/wrap-text.ts";
import type { Finding } from "./finding.ts";

const SUBJECT_WIDTH = 18;
const MARKS = { ok: ["green", "✓"], warning: ["yellow", "!"], error: ["red", "✗"] } as const;

/** A finding as a line, its cure below it, step by step. */
export function formatFinding(
  { subject, level, text, cure }: Finding,
  stream: NodeJS.WritableStream & { readonly columns?: number },
): readonly string[] {
  const [colour, mark] = MARKS[level];
  const margin = " ".repeat(SUBJECT_WIDTH + 5);
  const wrap = (said: string) => wrapHanging(margin + said, margin.length, stream.columns).map((line) => line.trim());
  const [first = "", ...rest] = wrap(formatPlainLine(text));
  const line = `  ${styleText(colour, mark, { stream })} ${subject.padEnd(SUBJECT_WIDTH)} ${first}`;
  const steps = (cure?.split("\n") ?? []).flatMap((step) =>
    wrap(`→ ${formatPlainLine(step)}`).map((part) => styleText("dim", part, { stream })),
  );
  return [line.trimEnd(), ...[...rest, ...steps].map((part) => `${margin}${part}`)];
}
