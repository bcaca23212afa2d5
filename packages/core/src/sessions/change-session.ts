import type { SessionEntry } from "@banyan/plugin-sdk";
import type { SessionRow, Store } from "@banyan/store";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { SessionCache } from "./session-cache.ts";
import { buildSessionWrite, parseSessionRow, type SessionRecord } from "./session-record.ts";

const MOST_CONFLICTS = 5;

export interface ChangeParts {
  readonly store: Store;
  readonly ports: Pick<Ports, "createId">;
  readonly cache: SessionCache;
}

/**
 * Changes a record from outside its turn. `change` is pure: it may run up to five times, each time on the present record,
 * because somebody else may write between the read and the step; `undefined` leaves the record as it is. Resolves with what
 * is written, `undefined` where nothing is or there is no such session. Throws `store_conflict`.
 */
export async function changeSession(
  sessionKey: string,
  change: (entry: SessionEntry, row: SessionRow) => SessionEntry | undefined,
  { store, ports, cache }: ChangeParts,
): Promise<SessionRecord | undefined> {
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    const row = await store.read.session(sessionKey);
    if (row === undefined) return undefined;
    const record = parseSessionRow(row);
    const entry = change(record.entry, row);
    if (entry === undefined) return undefined;
    const session = buildSessionWrite(record, entry);
    const written = await commitStep(store, { step: "write_session", writeId: ports.createId(), session });
    if (written.status === "refused") continue;
    cache.forget(sessionKey);
    return { ...record, entry, revision: written.revision };
  }
  throw new BanyanError(
    "store_conflict",
    `The session ${sessionKey} was updated: it changed ${MOST_CONFLICTS} times at the same time; try again when it is quieter`,
  );
}
