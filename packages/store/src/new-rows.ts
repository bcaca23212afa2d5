import type { DeliveryIdentity, ItemKind, ItemWake } from "./rows.ts";

/**
 * `expectRevision: 0` inserts and is left alone where the session exists; another number must be the present one, else
 * the step is refused as a `conflict`.
 */
export interface SessionWrite {
  readonly key: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly file: string;
  readonly expectRevision: number;
  readonly body: string;
  /** What the record has used more than it had; counted where the record is written, and only then. */
  readonly counts?: DayCount;
}

/** So much more of what somebody has used up on one day; less, where what he had used goes on under another name. */
export interface DayCount {
  /** Whose it is: a person's name, or `channel:peer`. */
  readonly subject: string;
  /** In UTC, as `2026-11-21`. */
  readonly day: string;
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** `body`: a JSON object without `seq`; the driver stores it as `sealEntryBody(seq, body)`. `id` is unique for ever. */
export interface NewEntry {
  readonly id: string;
  readonly body: string;
}

export interface NewItem {
  readonly lane: string;
  /** Unique for ever while above the account's cursor or younger than 30 days: what the platform never reuses. */
  readonly dedupe: string;
  /** The platform's id of the message; what `history` shows as id. */
  readonly nativeId: string;
  readonly kind: ItemKind;
  readonly address: string;
  readonly body: string;
  /** Absent: `turn`. */
  readonly wake?: ItemWake;
  /** The run that the item's turn works for. */
  readonly runId?: string;
}

/** A row that exists is left alone. */
export interface NewDelivery extends DeliveryIdentity {
  /** Born `sending` at attempt 1 with this owner; else `pending`. Only in the leader of the account. */
  readonly sendingOwner?: string;
  /** Born `undeliverable`, with this as its error: nobody is left to tell. */
  readonly undeliverable?: string;
  /** Left out when a row with the same key was written less than `ms` ago. */
  readonly quiet?: { readonly key: string; readonly ms: number };
}

export interface NewAudit {
  readonly actor: string;
  readonly action: string;
  readonly detail: string;
}

/** Offered to an unknown sender together with the refusal of his message. */
export interface NewPairing {
  readonly channel: string;
  readonly account: string;
  readonly senderId: string;
  readonly displayName?: string;
  readonly code: string;
  readonly address: string;
  readonly ttlMs: number;
  /** Pending ones that an account may have at a time. */
  readonly mostPending: number;
}

/** `person: null` unlinks. */
export interface LinkWrite {
  readonly channel: string;
  readonly peer: string;
  readonly person: string | null;
}

export interface NewLinkCode {
  readonly code: string;
  readonly channel: string;
  readonly peer: string;
  readonly address: string;
  readonly ttlMs: number;
}

/**
 * A session that goes on under another key. Its record, transcript, file, writers and waiting items move along; a turn
 * that runs is fenced off and its item waits again, the attempt given back.
 */
export interface SessionMove {
  readonly from: string;
  readonly to: string;
  readonly expectRevision: number;
  /** The record as it reads under the new key. */
  readonly body: string;
  /** Where its use of a day is somebody else's from now on: less of the one, more of the other. */
  readonly counts?: readonly DayCount[];
}
