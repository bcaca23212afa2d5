/** The steps of deliveries: an attempt, its end, and what an operator says. */
import type { NewAudit } from "./new-rows.ts";

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
  /**
   * Where it was sent to. One that was sent stands there and nowhere else: where its chat moved meanwhile the row is put
   * back, for in the other chat its id may be another message's.
   */
  readonly sentTo?: { readonly address: string; readonly chat: string };
}

/**
 * Between T5 and T6, with policy `anchor`: the message that is to be edited into this one stands. Fenced like `settle`, and
 * where the row has moved to another chat meanwhile; a later one takes the place of an earlier one. Of a row that was sent,
 * with its own `platformId`: its message is about to be changed, and a later life finds that an edit may be on its way.
 */
export interface AnchorStep {
  readonly step: "anchor";
  readonly id: string;
  readonly attempt: number;
  /** The chat that it was sent to: in another one the id may be another message's. */
  readonly chat: string;
  /** Of the platform. */
  readonly anchorId: string;
  /**
   * The platform refuses to edit this message into the row: from now on the row is sent as a message of its own, under
   * the policy `at-least-once`. Stored before that is sent, so that no later process edits it in as well. Only of a row
   * that is `sending`.
   */
  readonly isRefused?: true;
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

/**
 * An operator's word: `undeliverable | unknown | stuck | pending → pending`, due at once, attempts from 0. What was
 * `unknown` may have arrived, so it is marked.
 */
export interface RetryDeliveryStep {
  readonly step: "retry_delivery";
  readonly id: string;
  readonly audit: NewAudit;
}

/**
 * An operator's word: `pending | stuck | unknown → undeliverable`; `already` where it is. That an `undeliverable`
 * completion was dropped is kept, so the first such word is `done`; a retry takes it back.
 */
export interface DropDeliveryStep {
  readonly step: "drop_delivery";
  readonly id: string;
  readonly audit: NewAudit;
}

/**
 * A person's word, as a command carries it: each delivery as by `retry_delivery`, but one that is under way, was sent or
 * is not there is left alone. The audit is written where one of them was not.
 */
export interface RetryEffect {
  readonly ids: readonly string[];
  readonly audit: NewAudit;
}
