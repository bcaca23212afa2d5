import type { StopReason, Usage } from "../session/transcript-entry.ts";

/**
 * What a turn tells while it runs, in order, closed:
 * `text`* · `usage`* · `activity`* · `tool_start` (exactly one `tool_end` each) · exactly one `end`, and nothing after it.
 */
export type RunEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "tool_start"; readonly ordinal: number; readonly name: string }
  | { readonly type: "tool_end"; readonly ordinal: number; readonly isError: boolean }
  /** What the turn has used so far, all of it; where the host counts on it, a turn that uses too much is stopped. */
  | { readonly type: "usage"; readonly usage: Usage }
  /**
   * It works with a tool of its own, which the host does not run: the turn is silent, and still no turn without end.
   * `isWorking`: from now on such a tool runs, or none does any more; while one runs, silence does not count, for at most as
   * long as the host lets a tool run after the last such event. Absent: as before.
   */
  | { readonly type: "activity"; readonly isWorking?: boolean }
  | {
      readonly type: "end";
      readonly reason: StopReason;
      readonly usage?: Usage;
      readonly model?: string;
      /** With `error`. */
      readonly error?: RunError;
    };

/** `retryable`: time-out, rate limit, network, resources. The rest fails at once. */
export interface RunError {
  readonly isRetryable: boolean;
  /** A sentence for people, without secrets. */
  readonly message: string;
}
