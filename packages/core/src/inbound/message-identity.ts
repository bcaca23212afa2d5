import type { InboundMessage } from "@banyan/plugin-sdk";

/**
 * What the platform never reuses: the place, the edit that made this version, and the message's own id there. The id
 * stands last: it may hold any character, and an address holds neither `|` nor `@`.
 */
export function formatDedupe({ address, id, editedAt }: Pick<InboundMessage, "address" | "id" | "editedAt">): string {
  return editedAt === undefined ? `${address}|${id}` : `${address}@${editedAt}|${id}`;
}
