import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatMatrix, listCells, MATRIX_PAGE, MATRIX_TABLES } from "../crash/crash-matrix.ts";
import { REPOSITORY } from "../house/repository.ts";

/** The outcomes are compared by `test/crash/matrix.long.test.ts`, which shows them. */
test("the tables of deaths in docs/deliveries.md have the rows and columns of their run", () => {
  const [tables = ""] = MATRIX_TABLES.exec(readFileSync(join(REPOSITORY, MATRIX_PAGE), "utf8")) ?? [];
  const untold = formatMatrix(new Map(listCells().map(({ name }) => [name, "untold"])));
  expect(blank(tables)).toBe(blank(untold));
});

function blank(tables: string): string {
  return tables.replaceAll(/(?<= \| )(?:untold|once|\d+ times)[^|\n]*(?= \|)/g, "…");
}
