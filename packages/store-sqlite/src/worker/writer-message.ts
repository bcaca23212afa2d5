import type { StoreErrorCode } from "@banyan/store";
import type { FreshStore } from "../database/open-database.ts";
import type { Operation, Reply } from "./batch-runner.ts";

/** What the writing worker is started with. */
export interface WriterOptions {
  readonly stateDir: string;
  readonly synchronous: "full" | "normal";
  readonly maxPages?: number;
  readonly fresh: FreshStore;
  /** The readable layout is kept beside the database, and must have a transcript before that is removed. */
  readonly readable: boolean;
  /** Which database file a worker that is started again must find (`identifyFile`). */
  readonly database?: string;
  /** File URL of a `FaultPointModule`: functions do not cross threads. */
  readonly faultPointModule?: string;
}

export type ToWriter =
  | { readonly type: "batch"; readonly nowMs: number; readonly operations: readonly Operation[] }
  /** Moves the log into the database file where a step was committed since. */
  | { readonly type: "move_log" }
  | { readonly type: "close" };

export type FromWriter =
  /** `database`: which file it is. */
  | { readonly type: "opened"; readonly database: string | undefined }
  | { readonly type: "refused"; readonly code: StoreErrorCode; readonly message: string }
  /** In the order of the batches. `agents`: whose sessions it changed. */
  | {
      readonly type: "batch";
      readonly replies: readonly Reply[];
      readonly hasSteps: boolean;
      readonly agents: readonly string[];
    }
  /** A part of the log stays, since a reader needs it or the disk is full. */
  | { readonly type: "log_left" }
  /** The last word: the connection can go on no longer. */
  | { readonly type: "failed"; readonly code: StoreErrorCode; readonly message: string }
  | { readonly type: "closed" };
