import type { SQLOutputValue } from "node:sqlite";

/** One row as SQLite answers it; the readers below turn its columns into typed values. */
export type Row = Record<string, SQLOutputValue>;

type Column = SQLOutputValue | undefined;

export function readText(value: Column): string {
  if (typeof value === "string") return value;
  throw new TypeError(`reading a column: expected a text, received ${formatColumn(value)}`);
}

export function readNumber(value: Column): number {
  if (typeof value === "number") return value;
  throw new TypeError(`reading a column: expected a number, received ${formatColumn(value)}`);
}

export function readOptionalText(value: Column): string | undefined {
  return value === null ? undefined : readText(value);
}

/** The name that stands behind a code; `names` is in the order of the codes. */
export function readName<Name extends string>(names: readonly Name[], value: Column): Name {
  const name = names[readNumber(value)];
  if (name !== undefined) return name;
  throw new TypeError(`reading a column: expected a code below ${names.length}, received ${formatColumn(value)}`);
}

function formatColumn(value: Column): string {
  return value === null ? "NULL" : typeof value;
}
