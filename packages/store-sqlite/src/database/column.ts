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

/** A field that is left out where the column is empty. */
export function readOptional<Name extends string, T>(
  name: Name,
  value: Column,
  read: (value: Column) => T,
): { readonly [Key in Name]?: T } {
  if (value === null || value === undefined) return {};
  const field: { [Key in Name]?: T } = {};
  field[name] = read(value);
  return field;
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
