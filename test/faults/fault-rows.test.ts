import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DISCORD_ROWS } from "./discord-rows.ts";
import type { FaultRow } from "./fault-row.ts";
import { TELEGRAM_RECEIVING_ROWS } from "./telegram-receiving-rows.ts";
import { TELEGRAM_SENDING_ROWS } from "./telegram-sending-rows.ts";

interface FaultTable {
  readonly platform: string;
  readonly letter: string;
  readonly lastRow: number;
  readonly rows: Readonly<Record<string, FaultRow>>;
}

interface TestFile {
  readonly path: string;
  readonly text: string;
}

const ROOT = new URL("../../", import.meta.url).pathname;

const TABLES: readonly FaultTable[] = [
  {
    platform: "telegram",
    letter: "T",
    lastRow: 62,
    rows: { ...TELEGRAM_SENDING_ROWS, ...TELEGRAM_RECEIVING_ROWS },
  },
  { platform: "discord", letter: "D", lastRow: 62, rows: DISCORD_ROWS },
];

describe.each(TABLES)("the fault table of $platform", ({ platform, letter, lastRow, rows }) => {
  const files = readTestFiles(platform);

  test("has tests or a reason for every row", () => {
    expect(Object.keys(rows)).toEqual(Array.from({ length: lastRow }, (_, index) => `${letter}${index + 1}`));
    const empty = Object.entries(rows).filter(([, { shown = [], never }]) => shown.length === 0 && never === undefined);
    expect(empty).toEqual([]);
  });

  test.each(Object.entries(rows))(
    "%s: each title is in exactly one test file, which names the row",
    (row, { shown = [] }) => {
      for (const title of shown) {
        // With the quotes: a longer title that contains this one does not count.
        const found = files.filter(({ text }) => text.includes(JSON.stringify(title)));
        expect([title, found.map(({ path }) => path)]).toEqual([title, [expect.any(String)]]);
        expect([title, found.filter(({ text }) => namesRow(text, title, row)).length]).toEqual([title, 1]);
      }
    },
  );
});

/** The tests of the platform's plugin, of its emulator, and the flows; quick and long. */
function readTestFiles(platform: string): readonly TestFile[] {
  const folders = `{plugins/${platform}/test,packages/emulator-${platform}/test,test/flows}`;
  const paths = globSync(`${folders}/**/*.test.ts`, { cwd: ROOT, exclude: ["**/node_modules/**"] });
  return paths.map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }));
}

/** The title names its row, or another string of the file begins with it, such as a row of the table that has this title. */
function namesRow(text: string, title: string, row: string): boolean {
  return new RegExp(`\\b${row}\\b`).test(title) || new RegExp(`"${row}\\b`).test(text);
}
