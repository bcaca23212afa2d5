import type { Log } from "../port/log.ts";

/** What every tap is given beside its payload. */
export interface HookContext {
  readonly log: Log;
  /** Aborts when the tap's time limit is over; what it answers afterwards is ignored. */
  readonly signal: AbortSignal;
}

/** tapable's own options, plus what the host needs. */
export interface TapOptions {
  readonly name: string;
  /** Smaller runs earlier; default 0. The host's own taps stand at 100. */
  readonly stage?: number;
  /**
   * For `before_tool_call` and `after_tool_call`, whose taps stand among the host's own hooks: 1 to 10, larger runs
   * earlier, default 5. Those of one priority go by `stage`. The host's: path security 10, file permission 9, dangerous
   * commands 8, file access log 7, resource limits 6, audit 5.
   */
  readonly priority?: number;
  /** Runs before the tap of this name. */
  readonly before?: string;
  /** Milliseconds, default 10,000. */
  readonly timeoutMs?: number;
  /** For `message_sending`: without this tap's word nothing is sent. */
  readonly isRequired?: boolean;
}

export type TapFunction<Payload, Answer> = (payload: Payload, context: HookContext) => Answer | undefined;

/**
 * One hook, with tapable's surface. Both ways to tap answer with a disposer; a disposed tap is never called again.
 * What a tap may answer, and what happens when it throws, is written at the hook in `LifecycleHooks`.
 */
export interface TapPoint<Payload, Answer = never> {
  tap(options: string | TapOptions, tap: TapFunction<Payload, Answer>): () => void;
  tapPromise(
    options: string | TapOptions,
    tap: (payload: Payload, context: HookContext) => Promise<Answer | undefined>,
  ): () => void;
}
