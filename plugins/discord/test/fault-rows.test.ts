import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULT_ROWS } from "./fault-row.ts";

const LAST_ROW = 62;

test("every row of the fault table is shown, or cannot be met", () => {
  expect(Object.keys(FAULT_ROWS)).toEqual(Array.from({ length: LAST_ROW }, (_, at) => `D${at + 1}`));
  for (const [row, { shown = [], never }] of Object.entries(FAULT_ROWS))
    expect([row, shown.length > 0 || never !== undefined]).toEqual([row, true]);
});

test.each(Object.entries(FAULT_ROWS))("%s is shown by the tests that are named here", (row, { shown = [] }) => {
  for (const [file, title] of shown) {
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    expect([file, title, text.includes(title)]).toEqual([file, title, true]);
    expect([file, new RegExp(`\\b${row}\\b`).test(text)]).toEqual([file, true]);
  }
});
