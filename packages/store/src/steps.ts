import type { BindEffect } from "./binding-steps.ts";
import type {
  AnchorStep,
  AttemptStep,
  DropDeliveryStep,
  RetryDeliveryStep,
  RetryEffect,
  SettleStep,
} from "./delivery-steps.ts";
import type { ClaimStep, ReceiveStep } from "./input-steps.ts";
import type { NewDelivery, NewEntry, NewItem, SessionWrite } from "./new-rows.ts";
import type { LinkEffect, MigrateChatStep, RekeyStep, SetLinksStep, SettlePairingStep } from "./route-steps.ts";
import type { AcceptRun, EndRuns, RunStep } from "./run-steps.ts";
import type {
  AnswerEffect,
  AnswerStep,
  CommitTurnStep,
  ReleaseStep,
  SuspicionStep,
  ToolResultStep,
} from "./turn-steps.ts";
import type { TurnStop } from "./turn-stop.ts";

/**
 * The durable steps. Each is plain data, one transaction, and may be sent again after `commit_unknown`: it then answers
 * as it did, or `already`. A step checks its fence before its first write, so a refused one changes nothing.
 */
export type Step =
  | ReceiveStep
  | ClaimStep
  | ToolResultStep
  | AnswerStep
  | CommitTurnStep
  | ReleaseStep
  | SuspicionStep
  | CommandStep
  | AttemptStep
  | AnchorStep
  | SettleStep
  | RetryDeliveryStep
  | DropDeliveryStep
  | WriteSessionStep
  | AppendEntriesStep
  | SettlePairingStep
  | SetLinksStep
  | RekeyStep
  | MigrateChatStep
  | RunStep
  | RecoverStep
  | PruneStep;

// Commands ----------------------------------------------------------------------------------------------------------

/**
 * A command's effect, its answer and its `done`. Runs beside a turn; with `stop` it ends that turn. Written in this
 * order: `stop`, `session`, `link`, `items`, `deliveries`, `accept`, `runs`, `bind`, `retry`, `answer`, `prioritize`.
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
  readonly retry?: RetryEffect;
  readonly answer?: AnswerEffect;
  /** How urgent a message is that waits in the lane; one that does not wait is left alone. */
  readonly prioritize?: { readonly seq: number; readonly priority: number };
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
 * Takes up what owners known to be dead left: their lanes are free and active items wait again, with the counts of
 * `decideDeath`; their `sending` rows become `pending` and `maybeRepeated`, or `unknown` (`at-most-once`), due at once, with `lostSenderError`.
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
 * sessions of that age that are no run's child, and lines of the audit that are `auditOlderThanMs` old, the oldest first and
 * never the newest of all. Each counts.
 */
export interface PruneStep {
  readonly step: "prune";
  readonly olderThanMs: number;
  /** Absent: runs and archived sessions stay. */
  readonly runsOlderThanMs?: number;
  /** Absent: the audit stays. */
  readonly auditOlderThanMs?: number;
  readonly limit: number;
}
