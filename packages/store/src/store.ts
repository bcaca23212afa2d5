import type { DayCount } from "./new-rows.ts";
import type { StepResult } from "./results.ts";
import type {
  AuditRow,
  DeliveryRow,
  DeliveryState,
  EntryRow,
  HistoryRow,
  ItemKind,
  ItemRow,
  LaneRow,
  LinkCodeRow,
  PairingRow,
  PairingState,
  RouteSnapshot,
  SessionRow,
  WriterRow,
} from "./rows.ts";
import type { BindingRow, RunRow, RunState, TimerRow } from "./run-rows.ts";
import type { Step } from "./steps.ts";

/**
 * The store: a list of durable steps and the reads that decisions need, no generic access. A driver owns its clock.
 * Steps of one caller are committed in the order they were sent.
 */
export interface Store {
  /** Names the driver in start-up lines and figures. */
  readonly driver: string;
  /**
   * Commits one step. Resolves after it is durable. Rejects with a `StoreError` only: `commit_unknown` (send the same
   * step again), `full` (nothing was written; free space) or `closed`.
   */
  commit<S extends Step>(step: S): Promise<StepResult<S>>;
  readonly read: StoreReads;
  /** Called once when the store can no longer commit; every later step rejects. */
  onFailure(listener: (error: StoreError) => void): void;
  /** Commits what was sent, then frees everything. Repeatable. */
  close(): Promise<void>;
}

/** Reads see every step that was committed before they were asked for. Lists are bounded by `limit`. */
export interface StoreReads {
  session(key: string): Promise<SessionRow | undefined>;
  sessionById(sessionId: string): Promise<SessionRow | undefined>;
  sessionByFile(agentId: string, file: string): Promise<SessionRow | undefined>;
  /** By key, ascending; without archived ones. */
  sessions(query: { agentId?: string; afterKey?: string; limit: number }): Promise<readonly SessionRow[]>;
  /** By `seq`, ascending; with `newest` the last ones, still ascending. */
  entries(query: {
    sessionId: string;
    afterSeq?: number;
    limit: number;
    newest?: boolean;
  }): Promise<readonly EntryRow[]>;
  /** What the turns of one lane item have written so far, in that order; a reset in between leaves it in two sessions. */
  entriesOfItem(query: { itemSeq: number }): Promise<readonly EntryRow[]>;
  lane(lane: string): Promise<LaneRow>;
  item(seq: number): Promise<ItemRow | undefined>;
  /** An item by what it never repeats. */
  itemByDedupe(dedupe: string): Promise<ItemRow | undefined>;
  /** Items of a lane that are not ended, by `seq`; refused ones are not listed. */
  openItems(query: { lane: string; kinds?: readonly ItemKind[]; limit: number }): Promise<readonly ItemRow[]>;
  run(runId: string): Promise<RunRow | undefined>;
  /** One that was undone is not found. */
  runByDedupe(dedupe: string): Promise<RunRow | undefined>;
  /** By creation, ascending; `newest`: the last ones, still ascending. All that is given must hold. */
  runs(query: {
    states?: readonly RunState[];
    requesterSessionKey?: string;
    childSessionKey?: string;
    rootSessionKey?: string;
    parentRunId?: string;
    toldSessionKey?: string;
    /** Ended ones of which nobody has told the chat: `settledBy` is not set. */
    unsettled?: true;
    /** The run after which to go on, or before which with `newest`; an unknown one answers none. */
    afterRunId?: string;
    newest?: boolean;
    limit: number;
  }): Promise<readonly RunRow[]>;
  /** How many runs have not ended: those that a session has asked for, and those of a root's tree. */
  unfinishedRuns(query: {
    requesterSessionKey: string;
    rootSessionKey: string;
  }): Promise<{ readonly ofRequester: number; readonly ofTree: number }>;
  /** By `dueAtMs`, then `id`, ascending; with `dueBeforeMs` those due by then, that time included. */
  timers(query: { dueBeforeMs?: number; limit: number }): Promise<readonly TimerRow[]>;
  /** The bindings of a session, in the order in which they were made. */
  bindings(query: { sessionKey: string }): Promise<readonly BindingRow[]>;
  /** Lanes whose first waiting item a claim would take, the longest waiting first. */
  readyLanes(query: { limit: number; afterSeq?: number }): Promise<readonly { lane: string; firstSeq: number }[]>;
  /** Commands not yet settled, by `seq`. */
  waitingCommands(query: { afterSeq?: number; limit: number }): Promise<readonly ItemRow[]>;
  /** By `pos`, ascending. All that is given must hold. */
  deliveries(query: {
    states?: readonly DeliveryState[];
    channel?: string;
    account?: string;
    /** Those that stand as `runId` of one of these; none given: none. Found without a look at the others. */
    runIds?: readonly string[];
    afterPos?: number;
    limit: number;
  }): Promise<readonly DeliveryRow[]>;
  delivery(id: string): Promise<DeliveryRow | undefined>;
  /** The row that `claims` the message of this one. */
  claimant(id: string): Promise<DeliveryRow | undefined>;
  /**
   * Which of these ids of a platform are the `platformId` of deliveries at an address, in the order in which they are given;
   * found without a look at other addresses.
   */
  receipts(query: { address: string; platformIds: readonly string[] }): Promise<readonly string[]>;
  /**
   * Messages and commands received at an address (not the refused ones) and deliveries written for it, whatever their
   * state, so that a page never changes behind its reader; by `pos`, ascending. `afterId` unknown: `undefined`; given
   * twice (an edit): the first counts. Without `afterId` the newest ones.
   */
  history(query: { address: string; afterId?: string; limit: number }): Promise<readonly HistoryRow[] | undefined>;
  cursor(channel: string, account: string): Promise<string | undefined>;
  /** By channel, then by peer. */
  writers(sessionKey: string): Promise<readonly WriterRow[]>;
  /** What somebody has used up on one day, by one row, however many sessions there are; `undefined`: nothing yet. */
  dayUsed(query: Pick<DayCount, "subject" | "day">): Promise<Omit<DayCount, "subject" | "day"> | undefined>;
  /** What inbound routing decides by. Read at start and after each change of it. */
  routes(): Promise<RouteSnapshot>;
  /** The oldest first, without pending ones that have expired. */
  pairings(query: { states?: readonly PairingState[]; limit: number }): Promise<readonly PairingRow[]>;
  /** A link code that still holds, and how many wrong ones the account has sent within the window of its last one. */
  linkDesk(query: {
    code: string;
    channel: string;
    peer: string;
  }): Promise<{ readonly offer?: LinkCodeRow; readonly failures: number }>;
  /** The newest last; without `afterId` the newest ones. */
  audit(query: { afterId?: number; limit: number }): Promise<readonly AuditRow[]>;
  /** Counts for `status` and metrics; held items are not waiting, archived sessions are not counted. */
  counts(): Promise<StoreCounts>;
}

export interface StoreCounts {
  readonly sessions: number;
  readonly waitingItems: number;
  readonly activeLanes: number;
  readonly unsettledDeliveries: number;
  readonly pendingPairings: number;
  /** Runs that have not ended. */
  readonly unfinishedRuns: number;
}

/** `lost`: the stored data was removed or replaced. */
export type StoreErrorCode =
  | "commit_unknown"
  | "full"
  | "closed"
  | "locked"
  | "newer_schema"
  | "corrupt"
  | "lost"
  | "unusable";

/** The one error of a driver. `holderPid` with `locked`, where it is known. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly holderPid: number | undefined;

  constructor(code: StoreErrorCode, message: string, options: { cause?: unknown; holderPid?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "StoreError";
    this.code = code;
    this.holderPid = options.holderPid;
  }
}

/** What a row that `recover` took up says of its last attempt. */
export const lostSenderError: string = "The process that was sending this ended before the answer was stored.";

/** Puts an entry's place into its body, as every driver stores it. `body` is the text of a non-empty JSON object. */
export function sealEntryBody(seq: number, body: string): string {
  return `{"seq":${seq},${body.slice(1)}`;
}
