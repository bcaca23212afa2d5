import { expect, test } from "vitest";
import { formatTable } from "../src/format-table.ts";

test("columns are as wide as what stands in them, and numbers stand right where they are asked to", () => {
  const rows = [
    ["tree", "rings"],
    ["oak", "300"],
    ["elm", "7"],
  ];
  const lines = formatTable(rows, [null, "right"]).split("\n");
  expect(lines[0]).toBe("tree | rings");
  expect(lines.at(-1)).toBe("elm  |     7");
});
