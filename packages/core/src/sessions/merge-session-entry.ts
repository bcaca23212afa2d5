import type { SessionEntry } from "@banyan/plugin-sdk";

/** A change to a record: `undefined` leaves a field, `null` removes it. Unknown fields pass through. */
export type SessionPatch = {
  readonly [Field in keyof SessionEntry]?: SessionEntry[Field] | null | undefined;
};

/**
 * `touch-activity`: a person or channel acted, so `lastInteractionAt` moves to `now`. `preserve-activity`: bookkeeping
 * and system turns, which never make a session look fresh, whatever the patch says.
 */
export type MergePolicy = "touch-activity" | "preserve-activity";

/** What a record cannot lack: a patch replaces these and never removes them. */
const REQUIRED_FIELDS: ReadonlySet<string> = new Set(["sessionId", "sessionFile", "updatedAt"]);

/** The record with the patch applied, as a new object. */
export function mergeSessionEntry(existing: SessionEntry, patch: SessionPatch): SessionEntry {
  const values: Record<string, unknown> = {};
  const removed: string[] = [];
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value !== null) values[field] = value;
    else if (!REQUIRED_FIELDS.has(field)) removed.push(field);
  }
  // All at once: a record is merged for each message, and most of them lose nothing.
  const merged = Object.assign({ ...existing }, values);
  for (const field of removed) Reflect.deleteProperty(merged, field);
  return merged;
}

/** As `mergeSessionEntry`; the policy alone decides what becomes of `lastInteractionAt`. */
export function mergeSessionEntryWithPolicy(
  existing: SessionEntry,
  patch: SessionPatch,
  options: { readonly policy: MergePolicy; readonly now: number },
): SessionEntry {
  const lastInteractionAt = options.policy === "touch-activity" ? options.now : undefined;
  return mergeSessionEntry(existing, { ...patch, updatedAt: options.now, lastInteractionAt });
}
