import { formatPlainText, measureWidth } from "@banyan/core";
import { formatMarkdownText, type StyleWord } from "../terminal/markdown-text.ts";
import { wrapText } from "../terminal/wrap-text.ts";

const GAP = "  ";
export const OWN_NAME = "you";

/** The place that names take: as wide as the widest, so that texts stand below each other. */
export function measureNames(agentId: string): number {
  return Math.max(measureWidth(OWN_NAME), measureWidth(agentId)) + GAP.length;
}

export interface MessageForm {
  readonly names: number;
  readonly columns: number;
  /** The text is Markdown: shown without its marks. Absent: it is shown as it was typed. */
  readonly style?: StyleWord | undefined;
}

/** A message as lines of the terminal: the name, the text, further lines indented below it. */
export function formatMessageLines(name: string, text: string, form: MessageForm): readonly string[] {
  const { names, columns, style } = form;
  const plain = formatPlainText(text).replaceAll("\t", "    ").trimEnd();
  const lines = wrapText(style === undefined ? plain : formatMarkdownText(plain, style), columns - names);
  const head = name + " ".repeat(Math.max(0, names - measureWidth(name)));
  return lines.map((line, at) => ((at === 0 ? head : " ".repeat(names)) + line).trimEnd());
}
