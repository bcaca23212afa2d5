/** A table as lines of equal letters. */

/** Wider cells push the rest of their row aside, or one long cell would widen every row. */
const PADDING_LIMIT_COLUMNS = 40;

/** Rows of cells as text, the first row underlined. `align` has one entry for each column. */
export function formatTable(rows: readonly string[][], align: readonly (string | null | undefined)[]): string {
  const widths = (rows[0] ?? []).map((_, column) => {
    const widest = rows.reduce((width, row) => Math.max(width, measureColumns(row[column] ?? "")), 1);
    return Math.min(widest, PADDING_LIMIT_COLUMNS);
  });
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => pad(cell, widths[column] ?? 0, align[column] === "right"));
    return cells.join(" | ").trimEnd();
  });
  const underline = widths.map((width) => "-".repeat(width)).join("-+-");
  return [lines[0] ?? "", underline, ...lines.slice(1)].join("\n");
}

function pad(cell: string, width: number, isRight: boolean): string {
  const padding = " ".repeat(Math.max(0, width - measureColumns(cell)));
  return isRight ? padding + cell : cell + padding;
}

/** Columns of a terminal, near enough: wide for East Asian letters and emoji, none for marks. */
function measureColumns(text: string): number {
  let columns = 0;
  for (const letter of text) {
    if (/[\p{M}\u200d]/u.test(letter)) continue;
    columns += /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u.test(
      letter,
    )
      ? 2
      : 1;
  }
  return columns;
}
