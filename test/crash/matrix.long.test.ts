/** The crash matrix of `docs/deliveries.md`: each cell is what the run has just shown, and is written with `vitest -u`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPOSITORY } from "../house/repository.ts";
import { formatMatrix, listCells, MATRIX_PAGE, MATRIX_TABLES, type MatrixCell, showCell } from "./crash-matrix.ts";

const CELL_MS = 120_000;
const cells = listCells();
/** What each death that was told brought, whichever test asked for it first. */
const shown = new Map<string, Promise<string>>();

function show(cell: MatrixCell): Promise<string> {
  const known = shown.get(cell.name);
  if (known !== undefined) return known;
  const told = showCell(cell);
  shown.set(cell.name, told);
  return told;
}

test.each(cells)("$name", { timeout: CELL_MS }, async (cell) => {
  expect(await show(cell)).not.toBe("");
});

test("the page shows what these deaths have just shown, and no more", { timeout: cells.length * CELL_MS }, async () => {
  const results = new Map<string, string>();
  // One that fails ends it, so that nothing is written over a table of deaths that all pass.
  for (const cell of cells) results.set(cell.name, await show(cell));
  const path = join(REPOSITORY, MATRIX_PAGE);
  const before = readFileSync(path, "utf8");
  expect(before).toMatch(MATRIX_TABLES);
  await expect(before.replace(MATRIX_TABLES, () => formatMatrix(results))).toMatchFileSnapshot(path);
});
