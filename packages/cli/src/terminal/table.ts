import { styleText } from "node:util";
import { formatPlainLine, measureWidth } from "@banyan/core";

const INDENT = "  ";
const GAP = "  ";

/**
 * Aligned columns, as wide as their widest cell. Cells are texts from outside made safe. The titles are dim where
 * `stream` is a terminal that shows colours.
 */
export function formatTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  stream: NodeJS.WritableStream,
): readonly string[] {
  const cells = rows.map((row) => row.map(formatPlainLine));
  const widths = titles.map((title, at) =>
    Math.max(...[title, ...cells.map((row) => row[at] ?? "")].map(measureWidth)),
  );
  const formatRow = (row: readonly string[]) =>
    (INDENT + row.map((cell, at) => padCell(cell, widths[at] ?? 0)).join(GAP)).trimEnd();
  const head = titles.every((title) => title === "") ? [] : [styleText("dim", formatRow(titles), { stream })];
  return [...head, ...cells.map(formatRow)];
}

function padCell(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - measureWidth(cell)));
}
