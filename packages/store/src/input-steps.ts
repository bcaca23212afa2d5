/** The steps of what comes in: stored, and taken up. */
import type { NewDelivery, NewItem, NewPairing, SessionWrite } from "./new-rows.ts";

/**
 * T0. Items and cursor of one batch, item by item in order. Refused items are stored with the body `{}`, so that their
 * rejection is on record without its text. A stored item whose lane has no session refuses the step as `no_session`; an
 * archived one is archived no more (its revision grows by one, after the item's own write of it).
 */
export interface ReceiveStep {
  readonly step: "receive";
  readonly account: { readonly channel: string; readonly account: string };
  /** Replaces the account's cursor. */
  readonly cursor?: string;
  readonly items: readonly ReceivedItem[];
  /**
   * The revision of the `RouteSnapshot` it was decided on, if any. Another present one refuses the step as
   * `stale_route`, unless all its items are stored already: then it is a repeat, and answered as it stands.
   */
  readonly routeRevision?: number;
  /**
   * Fuses T2: a lane that nobody runs and whose first waiting item is claimable is claimed at once, unless a claim step
   * would be refused as `suspect`.
   */
  readonly claim?: { readonly owner: string; readonly claimId: string };
}

export interface ReceivedItem extends NewItem {
  /** Set by access: stored as `refused`, never run; `lane` is empty, `body` holds no text. */
  readonly refused?: string;
  /**
   * The `dedupe` of the item before it, which it belongs to: it is stored with that one or not at all. Where that one
   * was stored earlier, this one is answered as that one is, and leaves nothing.
   */
  readonly follows?: string;
  /** Written once per (lane, channel, peer). */
  readonly writer?: { readonly channel: string; readonly peer: string };
  /** Inserted where the lane's session does not exist. Absent when the core knows that it does. */
  readonly session?: SessionWrite;
  /** The revision the core has at hand: a claim leaves the session out of its answer when it is the present one. */
  readonly knownRevision?: number;
  /**
   * The lane never holds more waiting items than this: one too many is refused with neither session nor writer, and
   * `ifFull` is written instead of `deliveries`. Commands are neither counted nor refused.
   */
  readonly laneCap: number;
  readonly ifFull?: NewDelivery;
  /** Written with the item unless it is a duplicate. */
  readonly deliveries?: readonly NewDelivery[];
  /**
   * With `refused`: a new pairing, unless one stands for the sender (a pending one that has expired does not). Only a
   * new one writes `deliveries`. Where the account has `mostPending` already, `ifFull` is written instead.
   */
  readonly pairing?: NewPairing;
  /**
   * With `refused`: a new version of the item with this `dedupe`. Where that item waits as a message, its body becomes
   * this one, and nothing else of it changes; else the version that stands counts.
   */
  readonly amendment?: { readonly dedupe: string; readonly body: string };
}

/**
 * T2. Takes the first waiting item of a lane that nobody runs. Commands are not claimed, and a message behind a command
 * that still waits is not either: refused as `busy` until the command is settled, so that what follows a reset never
 * runs before it.
 * Refused as `suspect` where the item is one (`isSuspect`) and another suspect is active: the next one is claimed after
 * that one has ended or made progress.
 * An item with a `runId` and the wake `turn` makes its `accepted` or `waiting` run `running`. Refused as `no_session`
 * where the session is gone or archived.
 */
export interface ClaimStep {
  readonly step: "claim";
  readonly lane: string;
  readonly owner: string;
  /** Sending the lane's latest claim again answers the same epoch and item, whatever became of the turn. */
  readonly claimId: string;
  readonly knownRevision?: number;
  /** Taken instead of the first one where it waits there, with no command before it; else as if it were not given. */
  readonly itemSeq?: number;
  /** Never refused as `suspect`: the active suspects have run for so long that they hold up no others any more. */
  readonly isBesideSuspects?: true;
}
