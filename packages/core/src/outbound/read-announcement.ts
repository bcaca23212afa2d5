import { type Address, type Announcement, isAddress } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import type { Ports } from "../ports/ports.ts";
import { parseSessionRow } from "../sessions/session-record.ts";
import { type Attempted, buildAnnouncement, firstPartId, parseDeliveryBody } from "./queued-delivery.ts";

export interface AnnouncementSource {
  readonly store: { readonly read: Pick<StoreReads, "delivery" | "session"> };
  readonly ports: Pick<Ports, "log">;
}

/** What the taps of `announce` are given for a row; `undefined` for one that tells of no run. */
export async function readAnnouncement(row: Attempted, source: AnnouncementSource): Promise<Announcement | undefined> {
  const written = row.part === 0 ? row.body : (await source.store.read.delivery(firstPartId(row)))?.body;
  if (written === undefined) return undefined;
  const first = parseDeliveryBody(written);
  return buildAnnouncement(row, first, await findChildThread(first.announcement?.childSessionKey, source));
}

/** A courtesy: what could not be read must not look like a send that failed. */
async function findChildThread(
  childSessionKey: string | undefined,
  { store, ports }: AnnouncementSource,
): Promise<Address | undefined> {
  if (childSessionKey === undefined) return undefined;
  try {
    const row = await store.read.session(childSessionKey);
    const { ownThread = "" } = row === undefined ? {} : parseSessionRow(row).entry;
    return isAddress(ownThread) ? ownThread : undefined;
  } catch (error) {
    ports.log.warn({ err: error, session: childSessionKey }, "a sub-agent's thread could not be looked up");
    return undefined;
  }
}
