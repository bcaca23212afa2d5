import type { DeliveryKind, DeliveryPolicy } from "@banyan/plugin-sdk";
import type { BindingRow } from "./run-rows.ts";

/**
 * What a store keeps. Bodies are JSON texts that a driver never parses. `Ms` times are milliseconds since the epoch by
 * the driver's clock.
 */
export interface SessionRow {
  readonly key: string;
  readonly sessionId: string;
  readonly agentId: string;
  /** File name of the readable transcript. */
  readonly file: string;
  /** Grows by one with each write; the fence of the next one. */
  readonly revision: number;
  readonly updatedAtMs: number;
  /** A `SessionEntry`. */
  readonly body: string;
  /** It was put away: listed no more, without a lane. */
  readonly archivedAtMs?: number;
}

export interface EntryRow {
  readonly id: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  /** Counted from 1 per `sessionId`. */
  readonly seq: number;
  /** The lane item whose turn wrote the entry, where one did. */
  readonly itemSeq?: number;
  /** A `TranscriptEntry`, `seq` included: one line of the readable transcript. */
  readonly body: string;
}

export type ItemKind = "message" | "command" | "completion" | "nested" | "system";

/**
 * `waiting → active → done | quarantined`; back to `waiting` when a turn is cut off. `refused` items never run. `held`: a
 * completion that waits for those of its siblings, not to be claimed yet.
 */
export type ItemState = "waiting" | "active" | "done" | "quarantined" | "refused" | "held";

/** `turn`: the agent is asked. `append`: it is only written down at the lane's next boundary. */
export type ItemWake = "turn" | "append";

/** One input of a session's lane. */
export interface ItemRow {
  /** The lane: a session key; empty for an input that was refused before it had one. */
  readonly lane: string;
  /** Grows over the whole store, in one count with `pos`; the order of a lane. */
  readonly seq: number;
  readonly kind: ItemKind;
  readonly state: ItemState;
  readonly address: string;
  /** Starts of a turn with this item that count. A death of the process uses one only for a suspect. */
  readonly attempt: number;
  readonly receivedAtMs: number;
  readonly body: string;
  /** Absent: `turn`. */
  readonly wake?: ItemWake;
  /** The run that the item's turn works for. A claim of it sets that run `running`. */
  readonly runId?: string;
  /** As somebody has set it, the higher the more urgent; a new version of the text leaves it. Absent: nobody has. */
  readonly priority?: number;
  /** Deaths of the process in a row while it was active, without progress between them. Absent: none. */
  readonly deaths?: number;
}

/** What a lane is now; one that never had an item has epoch 0. */
export interface LaneRow {
  readonly lane: string;
  readonly epoch: number;
  /** Who runs the lane's turn now. */
  readonly owner?: string;
  /** Commands are not counted. */
  readonly waiting: number;
  readonly active: readonly number[];
}

/**
 * `pending → sending →` one of the others. `sent`, `sent_maybe_repeated`, `undeliverable` and `unknown` are final;
 * `stuck` is tried on, rarely, and shown to the operator.
 */
export type DeliveryState =
  | "pending"
  | "sending"
  | "sent"
  | "sent_maybe_repeated"
  | "undeliverable"
  | "unknown"
  | "stuck";

/** What never changes of one part of one message on its way out. */
export interface DeliveryIdentity {
  /** `<deliveryId>.<part>`; unique for ever. */
  readonly id: string;
  readonly deliveryId: string;
  readonly part: number;
  readonly of: number;
  readonly kind: DeliveryKind;
  readonly channel: string;
  readonly account: string;
  /** Frozen when the row was written. */
  readonly address: string;
  /** The address without its thread: order is kept within it. */
  readonly chat: string;
  readonly sessionKey?: string;
  /** The one exception: `anchor` becomes `at-least-once` where the platform refuses the edit. */
  readonly policy: DeliveryPolicy;
  /** A `DeliveryBody` as JSON. */
  readonly body: string;
  /** With kind `completion`: the newest run that it tells of. */
  readonly runId?: string;
  /**
   * With policy `anchor`: the row whose message this one is edited into, once that is sent. One row has each; where another
   * had it before, this one is written without.
   */
  readonly claims?: string;
}

/** One part of one message on its way out. */
export interface DeliveryRow extends DeliveryIdentity {
  /**
   * The platform's id of the message that stands to be edited into this one; of one that was sent and is changed since, its
   * own. Forgotten when the chat moves.
   */
  readonly anchorId?: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** An earlier attempt may have arrived: the next one carries the mark, except where the platform knows a repeat. */
  readonly maybeRepeated: boolean;
  readonly owner?: string;
  /** Not tried before this time. */
  readonly nextAtMs: number;
  readonly platformId?: string;
  /** A sentence; why the last attempt failed. */
  readonly error?: string;
  readonly createdAtMs: number;
  /** Grows over the whole store, in one count with `seq`; the order of a chat. */
  readonly pos: number;
}

/** One line of what was received and delivered at an address. */
export interface HistoryRow {
  readonly pos: number;
  readonly source: "item" | "delivery";
  /** The item's native id, or the delivery row's id. */
  readonly id: string;
  readonly kind: ItemKind | DeliveryKind;
  readonly atMs: number;
  readonly body: string;
}

export interface WriterRow {
  readonly sessionKey: string;
  readonly channel: string;
  readonly peer: string;
}

/** `pending` until the operator decides or it expires; `approved` lets the sender's DMs in; `denied` keeps him silent. */
export type PairingState = "pending" | "approved" | "denied";

/** A stranger who wrote to an account, and what the operator said. One per (channel, account, sender). */
export interface PairingRow {
  readonly channel: string;
  readonly account: string;
  /** The platform's stable id. */
  readonly senderId: string;
  /** For the operator's eyes; nothing is decided by it. */
  readonly displayName?: string;
  readonly code: string;
  readonly state: PairingState;
  /** The DM in which the code was told. */
  readonly address: string;
  readonly createdAtMs: number;
  /** A pending one is as good as gone from then on. */
  readonly expiresAtMs: number;
}

/** One account of a person, linked by `/link` or the operator (the configuration's own links are not stored). */
export interface LinkRow {
  readonly channel: string;
  readonly peer: string;
  readonly person: string;
  readonly linkedAtMs: number;
}

/** A code that waits to be sent from the other account; `address` is where it was given out. */
export interface LinkCodeRow {
  readonly code: string;
  readonly channel: string;
  readonly peer: string;
  readonly address: string;
  readonly expiresAtMs: number;
}

/** A chat lives on under another id: what names the old one means the new one. */
export interface ChatMoveRow {
  readonly channel: string;
  readonly fromChat: string;
  readonly toChat: string;
}

/** What inbound routing decides by, as one consistent picture; lists in the order in which they were made. */
export interface RouteSnapshot {
  /** Grows with each change of what stands here. */
  readonly revision: number;
  readonly approved: readonly { readonly channel: string; readonly account: string; readonly senderId: string }[];
  readonly links: readonly LinkRow[];
  readonly chatMoves: readonly ChatMoveRow[];
  readonly bindings: readonly BindingRow[];
}

export interface AuditRow {
  /** Grows. */
  readonly id: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly detail: string;
}
