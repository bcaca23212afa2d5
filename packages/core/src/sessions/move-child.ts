import type { SessionEntry } from "@banyan/plugin-sdk";
import { type MigrateChatStep, moveAddress, type SessionRow, type SessionWrite } from "@banyan/store";
import { buildSessionWrite, parseSessionRow } from "./session-record.ts";

/** What names a child's parent in its record. Most records hold neither, and are not parsed for it. */
const PARENT_FIELDS = ["spawnedBy", "parentSessionKey"] as const;

/**
 * The record of a child whose parent goes on under another key, or whose thread is in a chat that moves; `undefined` for
 * all other sessions. Pure. `rename` gives the new key of a session that moves.
 */
export function findMovedChild(
  row: SessionRow,
  rename: (key: string) => string | undefined,
  addresses: MigrateChatStep["addresses"],
): SessionWrite | undefined {
  if (!PARENT_FIELDS.some((field) => row.body.includes(`"${field}"`))) return undefined;
  const record = parseSessionRow(row);
  const { spawnedBy, parentSessionKey, deliveryContext, ownThread } = record.entry;
  const moved = {
    ...renameParent("spawnedBy", spawnedBy, rename),
    ...renameParent("parentSessionKey", parentSessionKey, rename),
    ...movePlace("deliveryContext", deliveryContext, addresses),
    ...movePlace("ownThread", ownThread, addresses),
  };
  return Object.keys(moved).length === 0 ? undefined : buildSessionWrite(record, { ...record.entry, ...moved });
}

function renameParent(
  field: (typeof PARENT_FIELDS)[number],
  parent: string | undefined,
  rename: (key: string) => string | undefined,
): Partial<SessionEntry> {
  const to = parent === undefined ? undefined : rename(parent);
  return to === undefined ? {} : { [field]: to };
}

function movePlace(
  field: "deliveryContext" | "ownThread",
  address: string | undefined,
  addresses: MigrateChatStep["addresses"],
): Partial<SessionEntry> {
  const to = address === undefined ? undefined : moveAddress(address, addresses);
  return to === undefined || to === address ? {} : { [field]: to };
}
