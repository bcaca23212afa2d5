/** Code in backticks, which Discord ends at the first run of as many backticks, whatever opened it. */
import { escapeText } from "./escape-text.ts";

/** What Discord takes for the name of a language. */
const LANGUAGE = /^[\w+#.-]{1,32}$/;
/** Seen by nobody; stands where three backticks would end the code around them. */
const ZERO_WIDTH_SPACE = "\u200b";

/** One or two backticks around it; as words where it holds both, for three would begin a block. */
export function formatInlineCode(code: string): string {
  const runs = new Set((code.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = ["`", "``"].find(({ length }) => !runs.has(length));
  if (ticks === undefined) return escapeText(code);
  const pad = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return ticks + pad + code + pad + ticks;
}

/** A block, byte by byte but for runs of three backticks. */
export function formatCodeBlock(code: string, language: string | null | undefined): string {
  const name = LANGUAGE.test(language ?? "") ? language : "";
  const body = code.replaceAll(/``(?=`)/g, `\`\`${ZERO_WIDTH_SPACE}`);
  return `\`\`\`${name}\n${body}\n\`\`\``;
}
