import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { FaultRow } from "./fault-row.ts";
import { LATER_ROWS } from "./fault-row-listening.ts";
import { EARLIER_ROWS } from "./fault-row-speaking.ts";

const FAULT_ROWS: Readonly<Record<string, FaultRow>> = { ...EARLIER_ROWS, ...LATER_ROWS };

const LAST_ROW = 62;

test("every row of the fault table is shown, or cannot be met", () => {
  const named = Object.keys(FAULT_ROWS).sort((one, other) => readNumber(one) - readNumber(other));
  expect(named).toEqual(Array.from({ length: LAST_ROW }, (_, at) => `T${at + 1}`));
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

function readNumber(row: string): number {
  return Number(row.slice(1));
}
