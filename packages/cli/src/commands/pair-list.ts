import { formatOneTimeCode } from "@banyan/core";
import type { PairingRow, PairingState } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { readState } from "../state/read-state.ts";
import { formatAge, formatDue } from "../terminal/relative-time.ts";
import { formatTable } from "../terminal/table.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

const TITLES: readonly string[] = ["CODE", "WHO", "ID", "ON", "STATE", "ASKED", "EXPIRES"];

export interface PairListOptions extends GlobalOptions {
  readonly state: PairingState | "all";
  readonly limit: number;
  readonly json?: boolean;
}

/** `banyan pair list`: who asks to be let in; with a state also who is in and who stays out. */
export async function pairList(options: PairListOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const { state, limit } = options;
  const states = state === "all" ? {} : { states: [state] };
  const rows = (await readState(config, (read) => read.pairings({ ...states, limit: limit + 1 }))) ?? [];
  const shown = rows.slice(0, limit);
  if (options.json) return writeJson(shown);
  const more = rows.length > limit ? ["  and more: --limit shows them"] : [];
  await writeLines([...formatPairings(shown, { now: Date.now(), stream: process.stdout }), ...more]);
}

export function formatPairings(
  rows: readonly PairingRow[],
  { now, stream }: { readonly now: number; readonly stream: NodeJS.WritableStream },
): readonly string[] {
  if (rows.length === 0) return ["  no requests"];
  const lines = rows.map((row) => [
    formatOneTimeCode(row.code),
    row.displayName ?? "",
    row.senderId,
    `${row.channel}/${row.account}`,
    row.state,
    formatAge(now - row.createdAtMs),
    row.state === "pending" ? formatDue(row.expiresAtMs - now) : "-",
  ]);
  return formatTable(TITLES, lines, stream);
}
