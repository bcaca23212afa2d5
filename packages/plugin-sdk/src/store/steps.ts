import type { DeliveryKind, DeliveryPolicy } from "../channel/outbound-message.ts";
import type { ItemKind } from "./rows.ts";

/**
 * The durable steps. Each is plain data, one transaction, and may be sent again after `commit_unknown`: it then answers
 * as it did, or `already`. A step checks its fence before its first write, so a refused one changes nothing.
 */
export type Step =
  | ReceiveStep
  | ClaimStep
  | ToolResultStep
  | CommitTurnStep
  | ReleaseStep
  | CommandStep
  | AttemptStep
  | SettleStep
  | RetryDeliveryStep
  | DropDeliveryStep
  | WriteSessionStep
  | AppendEntriesStep
  | RecoverStep
  | PruneStep;

// What steps carry -------------------------------------------------------------------------------------------------

/** `expectRevision: 0` inserts and is left alone where the session exists; another number must be the present one. */
export interface SessionWrite {
  readonly key: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly file: string;
  readonly expectRevision: number;
  readonly body: string;
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
}

export interface NewDelivery {
  readonly id: string;
  readonly deliveryId: string;
  readonly part: number;
  readonly of: number;
  readonly kind: DeliveryKind;
  readonly channel: string;
  readonly account: string;
  readonly address: string;
  readonly chat: string;
  readonly sessionKey?: string;
  readonly policy: DeliveryPolicy;
  /** Born `sending` at attempt 1 with this owner; else `pending`. Only in the leader of the account. */
  readonly sendingOwner?: string;
  /** Left out when a row with the same key was written less than `ms` ago. */
  readonly quiet?: { readonly key: string; readonly ms: number };
  readonly body: string;
}

export interface NewAudit {
  readonly actor: string;
  readonly action: string;
  readonly detail: string;
}

// T0, T2: input -----------------------------------------------------------------------------------------------------

/** T0. Items and cursor of one batch. Refused items are stored without their text, so that their rejection is on record. */
export interface ReceiveStep {
  readonly step: "receive";
  readonly account: { readonly channel: string; readonly account: string };
  /** Replaces the account's cursor. */
  readonly cursor?: string;
  readonly items: readonly ReceivedItem[];
  /** Fuses T2: an idle lane whose first waiting item came with this step is claimed at once. */
  readonly claim?: { readonly owner: string; readonly claimId: string };
}

export interface ReceivedItem extends NewItem {
  /** Set by access: stored as `refused`, never run; `lane` is empty, `body` holds no text. */
  readonly refused?: string;
  /** Written once per (lane, channel, peer). */
  readonly writer?: { readonly channel: string; readonly peer: string };
  /** Inserted where the lane's session does not exist. Absent when the core knows that it does. */
  readonly session?: SessionWrite;
  /** The revision the core has at hand: a claim leaves the session out of its answer when it is the present one. */
  readonly knownRevision?: number;
  /** More waiting items than this in the lane refuse the item, and `ifFull` is written instead. */
  readonly laneCap: number;
  readonly ifFull?: NewDelivery;
  /** Written with the item unless it is a duplicate. */
  readonly deliveries?: readonly NewDelivery[];
}

/** T2. Takes the first waiting item of a lane that nobody runs. Commands are not claimed. */
export interface ClaimStep {
  readonly step: "claim";
  readonly lane: string;
  readonly owner: string;
  /** Sending the same id again answers the same claim. */
  readonly claimId: string;
  readonly knownRevision?: number;
}

// T2b, T3: turns ----------------------------------------------------------------------------------------------------

/** T2b. Entries of a running turn, before the agent sees what they hold. */
export interface ToolResultStep {
  readonly step: "tool_result";
  readonly lane: string;
  readonly epoch: number;
  readonly sessionId: string;
  readonly itemSeq: number;
  readonly entries: readonly NewEntry[];
}

/** T3. Ends a turn: its items are done, its entries and deliveries written, its lane free. */
export interface CommitTurnStep {
  readonly step: "commit_turn";
  readonly lane: string;
  readonly epoch: number;
  readonly items: readonly number[];
  readonly itemState: "done" | "quarantined";
  readonly entries: readonly NewEntry[];
  readonly session: SessionWrite;
  readonly deliveries: readonly NewDelivery[];
}

/** Gives a lane back without an end: its items wait again. An orderly stop gives the attempt back too. */
export interface ReleaseStep {
  readonly step: "release";
  readonly lane: string;
  readonly epoch: number;
  readonly giveBackAttempt: boolean;
}

/** A command's effect, its answer and its `done`. Runs beside a turn; with `stop` it ends that turn. */
export interface CommandStep {
  readonly step: "command";
  readonly lane: string;
  readonly seq: number;
  /**
   * Fences off whatever runs: its items are done, `entries` go to `sessionId`. Refused as a conflict unless the lane's
   * epoch is `epoch`.
   */
  readonly stop?: { readonly epoch: number; readonly sessionId: string; readonly entries: readonly NewEntry[] };
  readonly session?: SessionWrite;
  /** Text that came with the command and goes on as a message. */
  readonly items: readonly NewItem[];
  readonly deliveries: readonly NewDelivery[];
}

// T5, T6: deliveries ------------------------------------------------------------------------------------------------

/** T5. `pending | stuck → sending`. */
export interface AttemptStep {
  readonly step: "attempt";
  readonly id: string;
  readonly owner: string;
  /** The attempt that begins, counted from 1: its fence. */
  readonly attempt: number;
}

/** T6. `sending →` what the platform, or the lack of its answer, decided. */
export interface SettleStep {
  readonly step: "settle";
  readonly id: string;
  readonly attempt: number;
  readonly outcome: SettleOutcome;
}

export type SettleOutcome =
  | { readonly state: "sent" | "sent_maybe_repeated"; readonly platformId: string }
  | { readonly state: "undeliverable" | "unknown"; readonly error: string }
  | {
      readonly state: "pending" | "stuck";
      readonly error: string;
      readonly retryInMs: number;
      /** The attempt was not used up (rate limits). */
      readonly giveBackAttempt?: boolean;
      /** The attempt may have arrived. */
      readonly maybeRepeated?: boolean;
    };

/** An operator's word: `undeliverable | unknown | stuck | pending → pending`, due at once, attempts from 0. */
export interface RetryDeliveryStep {
  readonly step: "retry_delivery";
  readonly id: string;
  readonly audit: NewAudit;
}

/** An operator's word: `pending | stuck | unknown → undeliverable`. */
export interface DropDeliveryStep {
  readonly step: "drop_delivery";
  readonly id: string;
  readonly audit: NewAudit;
}

// Sessions and housekeeping -----------------------------------------------------------------------------------------

/** `writeId` is the key by which a repeat is known. */
export interface WriteSessionStep {
  readonly step: "write_session";
  readonly writeId: string;
  readonly session: SessionWrite;
}

/** Entries from outside a turn. `already` when the first id exists. */
export interface AppendEntriesStep {
  readonly step: "append_entries";
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly entries: readonly NewEntry[];
}

/**
 * Takes up what owners known to be dead left: their lanes are free and active items wait again; their `sending` rows
 * become `pending` (`effectively-once`), `pending` and marked (`at-least-once`) or `unknown` (`at-most-once`).
 */
export interface RecoverStep {
  readonly step: "recover";
  /** The owner that lives; its rows stay. */
  readonly owner: string;
}

/** Removes settled items and deliveries older than the age, at most `limit` of each. Unsettled ones are never removed. */
export interface PruneStep {
  readonly step: "prune";
  readonly olderThanMs: number;
  readonly limit: number;
}
