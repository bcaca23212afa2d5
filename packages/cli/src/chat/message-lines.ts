import { formatPlainText, measureWidth } from "@banyan/core";
import { wrapText } from "../terminal/wrap-text.ts";

const GAP = "  ";
export const OWN_NAME = "you";

/** The place that names take: as wide as the widest, so that texts stand below each other. */
export function measureNames(agentId: string): number {
  return Math.max(measureWidth(OWN_NAME), measureWidth(agentId)) + GAP.length;
}

/** A message as lines of the terminal: the name, the text, further lines indented below it. */
export function formatMessageLines(
  name: string,
  text: string,
  size: { names: number; columns: number },
): readonly string[] {
  const { names, columns } = size;
  const lines = wrapText(formatPlainText(text).replaceAll("\t", "    ").trimEnd(), columns - names);
  const head = name + " ".repeat(Math.max(0, names - measureWidth(name)));
  return lines.map((line, at) => ((at === 0 ? head : " ".repeat(names)) + line).trimEnd());
}
