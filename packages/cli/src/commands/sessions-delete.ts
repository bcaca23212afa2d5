import type { DeletedSession } from "@banyan/core";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { deleteSession } from "../state/delete-session.ts";
import { findSession } from "../state/find-session.ts";
import { nothingStored } from "../state/nothing-stored.ts";
import { readState } from "../state/read-state.ts";
import { askYes } from "../terminal/ask-yes.ts";
import { countOf } from "../terminal/count-of.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";
import { UsageError } from "../usage-error.ts";

export interface SessionsDeleteOptions extends GlobalOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `banyan sessions delete`: a conversation is put away, and what works for it is stopped. It asks before, on a terminal. */
export async function sessionsDelete(given: string, options: SessionsDeleteOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const row = await readState(config, (read) => findSession(read, given));
  if (row === undefined) throw nothingStored("deleting a session", config.stateDir);
  if (!options.yes && !(await askFirst(row.key))) return writeLines(["  Nothing is deleted."]);
  const deleted = await deleteSession(config, row.key);
  if (options.json) return writeJson(deleted);
  await writeLines([formatDeleted(deleted)]);
}

async function askFirst(key: string): Promise<boolean> {
  if (process.stdin.isTTY && process.stderr.isTTY) return askYes(`  Delete ${key}, and stop what works for it? [y/N] `);
  throw new UsageError(`deleting ${key}: there is no terminal to ask on; add --yes`);
}

export function formatDeleted({ key, killed }: DeletedSession): string {
  const stopped =
    killed.length === 0
      ? ""
      : `, and ${countOf(killed.length, "run")} of it ${killed.length === 1 ? "is" : "are"} stopped`;
  return `  ${key} is deleted${stopped}; the next message there begins a new one`;
}
