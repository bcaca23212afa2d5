import type { ReceiveOutcome } from "../channel/inbound-message.ts";
import type { ItemRow, SessionRow } from "./rows.ts";
import type { RunRow } from "./run-rows.ts";
import type { Step } from "./steps.ts";

/** The step's fence does not hold: somebody else has the lane, or the attempt is over. Nothing was written. */
export interface Fenced {
  readonly status: "fenced";
}

/** The step was committed before. */
export interface Already {
  readonly status: "already";
}

/** The step does not apply. Nothing was written. */
export interface Refused {
  readonly status: "refused";
  /** `conflict`: read again and decide again. `stale_route`: read the `RouteSnapshot` again and decide again. */
  readonly reason:
    | "conflict"
    | "not_found"
    | "busy"
    | "empty"
    | "wrong_state"
    | "no_session"
    | "stale_route"
    | "children"
    | "tree"
    | "ended"
    | "suspect";
}

export interface Claim {
  readonly lane: string;
  readonly epoch: number;
  readonly item: ItemRow;
  /** Left out when the step's `knownRevision` is the present one. */
  readonly session?: SessionRow;
}

/** In the order of the step's items. `seq` of a duplicate is the first one's. */
export interface ReceivedResult {
  readonly outcome: ReceiveOutcome;
  readonly seq: number;
  /**
   * Deliveries of this item in the step that stand in the store (not kept back by `quiet`). A repeat after
   * `commit_unknown` is a `duplicate` and names them again, so ids must be new with each step.
   */
  readonly deliveries: readonly string[];
  /** With the first item of the lane that was stored; a repeat answers it again. */
  readonly claim?: Claim;
  /** The item's `pairing` is a new one; a repeat answers it again. */
  readonly isPairingNew?: boolean;
  /** The item's `amendment` took the place of the text that waited; a repeat answers it again. */
  readonly isAmended?: boolean;
}

export interface StepResults {
  receive: { readonly status: "done"; readonly items: readonly ReceivedResult[] } | Refused;
  claim: { readonly status: "done"; readonly claim: Claim } | Refused;
  tool_result: { readonly status: "done" } | Already | Fenced;
  answer: { readonly status: "done" } | Already | Refused;
  /** `waiting`: items left in the lane, commands not counted. */
  commit_turn:
    | {
        readonly status: "done" | "already";
        readonly waiting: number;
        readonly revision: number;
        /** With `run`: what became of it. */
        readonly run?: "ended" | "waiting";
        /** Other lanes that T4 gave something to do; absent: none, or `already`. */
        readonly wakes?: readonly string[];
      }
    | Fenced
    | Refused;
  release: { readonly status: "done" } | Already | Fenced;
  suspicion: { readonly status: "done" } | Fenced;
  /** `items`: seq of the step's items, in order. */
  command:
    | {
        readonly status: "done";
        readonly items: readonly number[];
        readonly waiting: number;
        /** Other lanes that `accept` and `runs` gave something to do; absent: none. */
        readonly wakes?: readonly string[];
      }
    | Already
    | Refused;
  attempt: { readonly status: "done" } | Already | Refused;
  anchor: { readonly status: "done" } | Already | Fenced;
  settle: { readonly status: "done" } | Already | Fenced;
  retry_delivery: { readonly status: "done" } | Refused;
  drop_delivery: { readonly status: "done" } | Already | Refused;
  write_session: { readonly status: "done" | "already"; readonly revision: number } | Refused;
  append_entries: { readonly status: "done" } | Already | Refused;
  settle_pairing: { readonly status: "done" } | Already | Refused;
  set_links: { readonly status: "done" } | Already | Refused;
  rekey: { readonly status: "done" } | Already | Refused;
  /** Counts what moved. */
  migrate_chat:
    | { readonly status: "done"; readonly sessions: number; readonly items: number; readonly deliveries: number }
    | Already
    | Refused;
  reserve_run: { readonly status: "done" | "already"; readonly run: RunRow } | Fenced | Refused;
  accept_run: { readonly status: "done" | "already"; readonly run: RunRow } | Fenced | Refused;
  undo_run: { readonly status: "done" } | Already | Fenced | Refused;
  /**
   * `wakes`: in any order, lanes that got a waiting item, or whose held ones wait now, or whose turn was fenced off;
   * whether or not something else runs there.
   */
  end_runs: { readonly status: "done"; readonly wakes: readonly string[] } | Already | Fenced | Refused;
  announce_run: { readonly status: "done" } | Already | Refused;
  enqueue: { readonly status: "done" | "already"; readonly seq: number } | Fenced | Refused;
  archive_run: { readonly status: "done" } | Already | Refused;
  archive_session: { readonly status: "done" } | Already | Refused;
  set_timers: { readonly status: "done" };
  bind: { readonly status: "done" } | Already | Refused;
  recover: { readonly status: "done"; readonly lanes: number; readonly deliveries: number };
  prune: { readonly status: "done"; readonly removed: number };
}

export type StepResult<S extends Step> = StepResults[S["step"]];
