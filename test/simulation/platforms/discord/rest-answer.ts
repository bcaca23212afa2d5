/** What a call of the platform's REST interface ends in, and what the plugin's library throws of it. */
import { TransportError } from "@banyan/plugin-sdk";

export type RestAnswer =
  | { readonly kind: "ok"; readonly body: unknown }
  | { readonly kind: "refused"; readonly status: number; readonly code: number }
  /** On the clock of durations. */
  | { readonly kind: "limited"; readonly untilMs: number; readonly isGlobal: boolean }
  /** `trouble`: 502. `lost`: the connection broke behind the request. `unsent`: before it. */
  | { readonly kind: "trouble" | "lost" | "unsent" };

class HTTPError extends Error {
  readonly status = 502;
  override readonly name = "HTTPError";
}

/** A refusal as discord.js has it. */
class DiscordAPIError extends Error {
  readonly rawError: object;
  readonly status: number;

  constructor(status: number, code: number) {
    super("no");
    this.status = status;
    this.rawError = { code, message: "no" };
  }
}

/** A limit as discord.js has it, also before a call that would be over it. */
export class RateLimitError extends Error {
  readonly limit = 5;
  readonly retryAfter: number;
  readonly global: boolean;

  constructor(retryAfterMs: number, isGlobal: boolean) {
    super("limited");
    this.retryAfter = Math.max(1, retryAfterMs);
    this.global = isGlobal;
  }
}

export function buildFailure(answer: Exclude<RestAnswer, { readonly kind: "ok" | "limited" }>): Error {
  switch (answer.kind) {
    case "refused":
      return new DiscordAPIError(answer.status, answer.code);
    case "trouble":
      return new HTTPError("Bad Gateway");
    case "lost":
      return new TransportError("the connection was reset", { sent: true });
    case "unsent":
      return new TransportError("connection refused", { sent: false });
  }
}

export const OK: RestAnswer = { kind: "ok", body: {} };
export const UNKNOWN_CHANNEL: RestAnswer = { kind: "refused", status: 404, code: 10003 };
export const UNKNOWN_MESSAGE: RestAnswer = { kind: "refused", status: 404, code: 10008 };
export const CLOSED_DM: RestAnswer = { kind: "refused", status: 403, code: 50007 };
export const LOCKED: RestAnswer = { kind: "refused", status: 400, code: 160005 };
export const ARCHIVED: RestAnswer = { kind: "refused", status: 400, code: 50083 };
export const HAS_THREAD: RestAnswer = { kind: "refused", status: 400, code: 160004 };
