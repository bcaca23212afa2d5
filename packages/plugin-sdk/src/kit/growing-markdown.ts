const FENCE = /^ {0,3}(?:```|~~~)/gm;

/** The beginning of an answer that is still being written, so that it can be shown. */
export interface GrowingMarkdown {
  /** With the fence that it breaks off in closed. */
  readonly markdown: string;
  readonly isInFence: boolean;
}

/** `source` is Markdown that may end anywhere. The beginning has at most `limitChars`, and a closed fence four more. */
export function cutGrowingMarkdown(source: string, limitChars: number): GrowingMarkdown {
  const head = cutText(source, limitChars);
  const isInFence = (head.match(FENCE)?.length ?? 0) % 2 === 1;
  return { markdown: isInFence ? `${head}\n\`\`\`` : head, isInFence };
}

/** At most so many UTF-16 units, none of them half a character. */
export function cutText(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  const last = text.charCodeAt(limitChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limitChars - 1 : limitChars);
}
