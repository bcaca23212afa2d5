const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]|\ufe0f/u;
const NOTHING = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]*$/u;
const ASCII = /^[\x20-\x7e]*$/;

/** Columns that a text without control characters takes on a terminal: two for wide letters and emoji. */
export function measureWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (!NOTHING.test(segment)) width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}

/** The beginning of a text that fits into so many columns. */
export function cutToWidth(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let cut = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += measureWidth(segment);
    if (width > columns) return cut;
    cut += segment;
  }
  return cut;
}
