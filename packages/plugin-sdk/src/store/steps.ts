import type { AttemptStep, DropDeliveryStep, RetryDeliveryStep, SettleStep } from "./delivery-steps.ts";
import type { NewDelivery, NewEntry, NewItem, NewPairing, SessionWrite } from "./new-rows.ts";
import type { LinkEffect, MigrateChatStep, RekeyStep, SetLinksStep, SettlePairingStep } from "./route-steps.ts";
import type {
  AcceptRun,
  AcceptRunStep,
  AnnounceRunStep,
  ArchiveRunStep,
  ArchiveSessionStep,
  BindEffect,
  BindStep,
  EndRuns,
  EndRunsStep,
  EnqueueStep,
  ReserveRunStep,
  RunSpeech,
  SetTimersStep,
  TurnRun,
  TurnStop,
  UndoRunStep,
} from "./run-steps.ts";

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
  | SettlePairingStep
  | SetLinksStep
  | RekeyStep
  | MigrateChatStep
  | ReserveRunStep
  | AcceptRunStep
  | UndoRunStep
  | EndRunsStep
  | AnnounceRunStep
  | EnqueueStep
  | ArchiveRunStep
  | ArchiveSessionStep
  | SetTimersStep
  | BindStep
  | RecoverStep
  | PruneStep;

// T0, T2: input -----------------------------------------------------------------------------------------------------

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
  /** Fuses T2: a lane that nobody runs and whose first waiting item is claimable is claimed at once. */
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
   * this one; else the version that stands counts.
   */
  readonly amendment?: { readonly dedupe: string; readonly body: string };
}

/**
 * T2. Takes the first waiting item of a lane that nobody runs. Commands are not claimed, and a message behind a command
 * that still waits is not either: refused as `busy` until the command is settled, so that what follows a reset never
 * runs before it.
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
}

// T2b, T3: turns ----------------------------------------------------------------------------------------------------

/**
 * T2b. Entries of a running turn, before the agent sees what they hold. `already` when the last id exists, but the
 * fence is looked at first; others that exist are left alone.
 */
export interface ToolResultStep {
  readonly step: "tool_result";
  readonly lane: string;
  readonly epoch: number;
  readonly sessionId: string;
  readonly itemSeq: number;
  readonly entries: readonly NewEntry[];
}

/**
 * T3. Ends a turn: its items are done, its entries and deliveries written, its lane free. The entries belong to the
 * first item. Entries that exist are left alone. A repeat is `already` also after later turns of the lane.
 */
export interface CommitTurnStep {
  readonly step: "commit_turn";
  readonly lane: string;
  readonly epoch: number;
  /** The claimed one first, then waiting ones that the turn took along; anything else is refused as `wrong_state`. */
  readonly items: readonly number[];
  readonly itemState: "done" | "quarantined";
  readonly entries: readonly NewEntry[];
  readonly session: SessionWrite;
  readonly deliveries: readonly NewDelivery[];
  /**
   * T4, where the turn works for a run. Refused as `not_found`, and as `wrong_state` for one neither `running` nor
   * `waiting`.
   */
  readonly run?: TurnRun;
  /**
   * Who tells the chat of ended runs by this turn's end; refused as a `conflict` where one of them has not ended or was
   * told of.
   */
  readonly speeches?: readonly RunSpeech[];
}

/**
 * Gives a lane back without an end: its items wait again. An orderly stop gives the attempt back too. `already` when
 * the turn of this epoch is over, however it ended.
 */
export interface ReleaseStep {
  readonly step: "release";
  readonly lane: string;
  readonly epoch: number;
  readonly giveBackAttempt: boolean;
}

/**
 * A command's effect, its answer and its `done`. Runs beside a turn; with `stop` it ends that turn. Written in this
 * order: `stop`, `session`, `link`, `items`, `deliveries`, `accept`, `runs`, `bind`.
 */
export interface CommandStep {
  readonly step: "command";
  readonly lane: string;
  readonly seq: number;
  readonly stop?: TurnStop;
  readonly session?: SessionWrite;
  readonly link?: LinkEffect;
  /**
   * T1 of a run that a person asked for; what refuses it refuses the command. One that was accepted before is left
   * alone.
   */
  readonly accept?: AcceptRun;
  /** T4 of the runs that it ends. */
  readonly runs?: EndRuns;
  readonly bind?: BindEffect;
  /** Text that came with the command and goes on as a message. */
  readonly items: readonly NewItem[];
  readonly deliveries: readonly NewDelivery[];
}

// Sessions and housekeeping -----------------------------------------------------------------------------------------

/**
 * `writeId` is the key by which a repeat is known, also after later writes: it answers the revision it made. An insert
 * that finds the session is `already` with the present revision.
 */
export interface WriteSessionStep {
  readonly step: "write_session";
  readonly writeId: string;
  readonly session: SessionWrite;
}

/**
 * Entries from outside a turn. `already` when the first id exists; refused without entries (`empty`) and for an unknown
 * key (`no_session`).
 */
export interface AppendEntriesStep {
  readonly step: "append_entries";
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly entries: readonly NewEntry[];
}

/**
 * Takes up what owners known to be dead left: their lanes are free and active items wait again; their `sending` rows
 * become `pending` and `maybeRepeated`, or `unknown` (`at-most-once`), due at once, with `lostSenderError`.
 */
export interface RecoverStep {
  readonly step: "recover";
  /** The owner that lives; its rows stay. */
  readonly owner: string;
}

/**
 * Removes settled items and deliveries of this age or older, the oldest first, at most `limit` of each; completions that
 * reached nobody (`undeliverable`, `unknown`) only once the operator dropped them. What expired that long ago goes too,
 * uncounted: pending pairings, link codes, counts of failures. Runs that ended `runsOlderThanMs` ago and are
 * settled go, once the deliveries that tell of them are gone, no unfinished run has them as its parent, and they are
 * archived or nothing is due for them; with the last one goes its child's session, where that is archived. So do archived
 * sessions of that age that are no run's child. Each counts.
 */
export interface PruneStep {
  readonly step: "prune";
  readonly olderThanMs: number;
  /** Absent: runs and archived sessions stay. */
  readonly runsOlderThanMs?: number;
  readonly limit: number;
}
