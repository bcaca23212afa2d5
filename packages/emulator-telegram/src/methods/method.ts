import type { Answer } from "../answers/answer.ts";
import type { Bot } from "../bots/bot.ts";
import type { ParameterReader } from "../parameters/parameter-reader.ts";
import type { Platform } from "../platform.ts";

/** One call of a Bot API method. */
export interface Call {
  readonly platform: Platform;
  readonly bot: Bot;
  readonly read: ParameterReader;
  /** Runs `run` when the caller's connection is gone; a method that waits gives up then. */
  onGone(run: () => void): void;
}

/**
 * A method reads all its parameters, asks `read.refusal()` once, and only then acts. It answers at once
 * where it need not wait, which keeps sends cheap.
 */
export type Method = (call: Call) => Answer | Promise<Answer>;
