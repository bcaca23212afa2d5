/** One bar of the project and what was measured against it. */
export interface Bar {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  /** On which side of the limit it is met. */
  readonly side: "at least" | "at most";
  readonly unit: string;
  /** What the figure is made of. */
  readonly detail: string;
}

export function isMet({ measured, limit, side }: Bar): boolean {
  return side === "at least" ? measured >= limit : measured <= limit;
}

/** A table of one line per bar, for people. */
export function formatBars(bars: readonly Bar[]): string {
  const rows = bars.map((bar) => [
    bar.name,
    formatFigure(bar.measured, bar.unit),
    `${bar.side === "at least" ? "≥" : "≤"} ${formatFigure(bar.limit, bar.unit)}`,
    isMet(bar) ? "met" : "MISSED",
    bar.detail,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
    .join("\n");
}

function formatFigure(value: number, unit: string): string {
  return `${value.toFixed(unit === "ms" && value >= 10 ? 0 : 2)} ${unit}`;
}
