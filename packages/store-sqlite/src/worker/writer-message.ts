import type { StoreErrorCode } from "@banyan/plugin-sdk/store";
import type { Operation, Reply } from "./batch-runner.ts";

/** What the writing worker is started with. */
export interface WriterOptions {
  readonly stateDir: string;
  readonly synchronous: "full" | "normal";
  readonly maxPages?: number;
  /** The readable layout is kept beside the database, and must have a transcript before that is removed. */
  readonly readable: boolean;
  /** Which database file a worker that is started again must find (`identifyFile`). */
  readonly database?: string;
  /** File URL of a `FaultPointModule`: functions do not cross threads. */
  readonly faultPointModule?: string;
}

export type ToWriter =
  | { readonly type: "batch"; readonly nowMs: number; readonly operations: readonly Operation[] }
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
  /** The last word: the connection can go on no longer. */
  | { readonly type: "failed"; readonly code: StoreErrorCode; readonly message: string }
  | { readonly type: "closed" };
