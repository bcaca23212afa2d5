import type { StoreReads } from "@banyan/store";
import { RUN_STATE } from "../database/code.ts";
import { RUN_COLUMNS } from "./run-row.ts";

export type RunQuery = Parameters<StoreReads["runs"]>[0];

/** The columns that can be asked for, those of which the fewest runs share a value first. */
const FILTERS: readonly { readonly column: string; readonly of: (query: RunQuery) => string | undefined }[] = [
  { column: "parent_run_id", of: (query) => query.parentRunId },
  { column: "told_key", of: (query) => query.toldSessionKey },
  { column: "child_key", of: (query) => query.childSessionKey },
  { column: "requester_key", of: (query) => query.requesterSessionKey },
  { column: "root_key", of: (query) => query.rootSessionKey },
];

/** Runs that an index of their own holds. */
const BANDS: Readonly<Record<RunQueryShape["band"], string>> = {
  any: "true",
  open: `state < ${RUN_STATE.ended}`,
  unsettled: `state = ${RUN_STATE.ended} AND settled_by IS NULL`,
};

/** The columns that lead an index of each band. */
const LEADERS: Readonly<Record<RunQueryShape["band"], readonly string[]>> = {
  any: FILTERS.map(({ column }) => column),
  open: ["parent_run_id", "child_key", "requester_key", "root_key"],
  unsettled: ["told_key"],
};

/** What of a query is text of its statement; the rest is bound. */
export interface RunQueryShape {
  readonly columns: readonly string[];
  readonly band: "any" | "open" | "unsettled";
  readonly isNewest: boolean;
}

export interface RunQueryParts {
  readonly shape: RunQueryShape;
  readonly values: readonly string[];
  /** Of the states that are asked for. */
  readonly mask: number;
}

export function decideRunQuery(query: RunQuery): RunQueryParts {
  const asked = FILTERS.flatMap(({ column, of }) => {
    const value = of(query);
    return value === undefined ? [] : [{ column, value }];
  });
  const all = Object.keys(RUN_STATE).length;
  const states = query.states?.reduce((mask, state) => mask | (1 << RUN_STATE[state]), 0);
  const mask = states ?? 2 ** all - 1;
  const isOpen = (mask & (1 << RUN_STATE.ended)) === 0;
  const band = query.unsettled === true ? "unsettled" : isOpen ? "open" : "any";
  const columns = asked.map(({ column }) => column);
  return { shape: { columns, band, isNewest: query.newest === true }, values: asked.map(({ value }) => value), mask };
}

/** Bound in order: the values of the columns, the mask of states, the place, the limit. One column leads, by its index. */
export function buildRunQuery({ columns, band, isNewest }: RunQueryShape): string {
  const leading = columns.find((column) => LEADERS[band].includes(column));
  // A plus keeps a column from being looked up in an index, of which there is one for the leading one's band only.
  const filters = columns.map((column) => (column === leading ? `${column} = ?` : `+${column} = ?`));
  return `SELECT ${RUN_COLUMNS} FROM runs WHERE ${[...filters, BANDS[band]].join(" AND ")} AND (1 << state) & ?
    AND pos ${isNewest ? "< ? ORDER BY pos DESC" : "> ? ORDER BY pos"} LIMIT ?`;
}

/** Every statement with at most one column, for whoever looks at their plans. */
export function listRunQueries(): readonly string[] {
  const some: readonly (readonly string[])[] = [[], ...FILTERS.map(({ column }) => [column])];
  return some.flatMap((columns) =>
    (["any", "open", "unsettled"] as const).flatMap((band) =>
      [true, false].map((isNewest) => buildRunQuery({ columns, band, isNewest })),
    ),
  );
}
