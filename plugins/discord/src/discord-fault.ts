import type { ChannelErrorClass } from "@banyan/plugin-sdk";
import { ERROR_TABLE, type ErrorRow } from "./error-table.ts";

/** What a failed call means: the error class and what its `ChannelError` says. Pure data. */
export interface DiscordFault {
  readonly class: ChannelErrorClass;
  /** The row of the error table, absent where Discord did not answer. */
  readonly row?: string;
  /** What was wrong and what was received. May quote the platform, so it is not yet free of secrets. */
  readonly what: string;
  readonly advice: string;
  /** With `rate_limited`. */
  readonly retryAfterMs?: number;
  /** With `rate_limited`: the whole account is held, not this route alone. */
  readonly isAccountWide?: boolean;
}

/** What the caller knows of the call. */
export interface CallContext {
  /** The call is for a thread: what is gone or closed is the thread, not its channel. */
  readonly isInThread?: boolean;
  /** The permissions that the call needs, as Discord's settings name them, such as `Send Messages in Threads`. */
  readonly needs?: readonly string[];
}

/** A refusal as discord.js' `DiscordAPIError` holds it. `rawError` is bytes where the answer was no JSON. */
interface Refusal {
  readonly status: number;
  readonly code: number | undefined;
  readonly message: string;
  readonly isJson: boolean;
  readonly raw: object;
}

/** Descriptions are short sentences and a list of fields; a proxy's may be a page. */
const DESCRIPTION_LIMIT_CHARS = 300;
/** Where a limit names no time: about as long as a bucket of Discord lasts. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
/** A day keeps a mistaken figure from parking a channel for ever. */
const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1000;
/** discord.js forgets the token at the first 401 and then says this instead of making a call. */
const NO_TOKEN = "Expected token to be set";

/**
 * The fault behind anything that a call of discord.js' REST manager throws. Total: what it does not know is `ambiguous`.
 * The classes of discord.js are told by their shape: to import them costs more start-up time than all the rest of the
 * plugin, and the host may have loaded another copy.
 */
export function classifyDiscordError(error: unknown, context: CallContext = {}): DiscordFault {
  const refusal = readRefusal(error);
  if (refusal !== undefined) return classifyRefusal(refusal, context);
  if (!(error instanceof Error)) return classifyLoss(error);
  const limited = classifyRateLimit(error);
  if (limited !== undefined) return limited;
  const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
  if (error.name === "HTTPError" && status !== undefined) {
    const what = `failed with ${status} ${JSON.stringify(limitText(error.message))}`;
    return {
      class: "ambiguous",
      row: "D35",
      what,
      advice: "Discord has trouble; what became of the call is unknown",
    };
  }
  if (error.message.startsWith(NO_TOKEN)) {
    const advice = "take the present token from the Bot page of the developer portal";
    return { class: "unauthorized", row: "D15", what: "not made, the token was refused before", advice };
  }
  return classifyLoss(error);
}

function readRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !("rawError" in error) || !("status" in error)) return undefined;
  const { rawError: raw, status } = error;
  if (typeof status !== "number" || typeof raw !== "object" || raw === null) return undefined;
  const code = "code" in raw && typeof raw.code === "number" ? raw.code : undefined;
  return { status, code, message: error.message, isJson: code !== undefined || "message" in raw, raw };
}

function classifyRefusal(refusal: Refusal, context: CallContext): DiscordFault {
  const { status, code, message, isJson, raw } = refusal;
  const codeNote = code === undefined ? "" : ` and code ${code}`;
  const what = isJson
    ? `refused with status ${status}${codeNote}, ${JSON.stringify(limitText(message))}`
    : `refused with status ${status} and no answer of Discord's API`;
  const row = ERROR_TABLE.find((candidate) => fits(candidate, refusal));
  if (row === undefined) {
    return { class: "ambiguous", what, advice: "the status is none that Discord refuses with; check apiBaseUrl" };
  }
  const fault = {
    class: context.isInThread ? (row.classInThread ?? row.class) : row.class,
    row: row.row,
    what,
    advice: formatAdvice(row, context),
  };
  if (row.class !== "rate_limited") return fault;
  const seconds = "retry_after" in raw ? readNumber(raw.retry_after) : Number.NaN;
  const isAccountWide = row.isAccountWide ?? ("global" in raw && raw.global === true);
  return { ...fault, retryAfterMs: limitWait(seconds * 1000, row.retryAfterMs), isAccountWide };
}

function fits(row: ErrorRow, { status, code, message, isJson }: Refusal): boolean {
  const { codes, statuses: [low, high] = [0, Number.POSITIVE_INFINITY], text } = row;
  return (
    (codes === undefined || (code !== undefined && codes.includes(code))) &&
    status >= low &&
    status <= high &&
    (row.isJson === undefined || row.isJson === isJson) &&
    (text === undefined || text.test(message))
  );
}

function formatAdvice({ advice, isAboutPermissions }: ErrorRow, { needs = [] }: CallContext): string {
  if (!isAboutPermissions || needs.length === 0) return advice;
  return `${advice}; this needs ${needs.join(", ")}`;
}

/** discord.js' `RateLimitError`, thrown at an answer 429 and before a call that would be one. Its times are milliseconds. */
function classifyRateLimit(error: Error): DiscordFault | undefined {
  if (!("retryAfter" in error) || !("global" in error) || !("limit" in error)) return undefined;
  const { retryAfter, global } = error;
  const scope = "scope" in error && typeof error.scope === "string" ? error.scope : "user";
  const route = "route" in error && typeof error.route === "string" ? ` of ${limitText(error.route)}` : "";
  return {
    class: "rate_limited",
    row: global === true ? "D12" : scope === "shared" ? "D11" : "D9",
    what: `over the ${scope} limit${route}`,
    advice: "wait as long as Discord asks",
    retryAfterMs: limitWait(readNumber(retryAfter), DEFAULT_RETRY_AFTER_MS),
    isAccountWide: global === true,
  };
}

function readNumber(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN;
}

function limitWait(waitMs: number, usualMs: number = DEFAULT_RETRY_AFTER_MS): number {
  return waitMs > 0 ? Math.min(Math.ceil(waitMs), RETRY_AFTER_LIMIT_MS) : usualMs;
}

/** No answer, or none that can be read. Only the transport can vouch that nothing was sent. */
function classifyLoss(error: unknown): DiscordFault {
  const what = error instanceof Error ? `failed, ${limitText(error.message)}` : "failed for an unknown reason";
  if (isUnsent(error)) {
    return { class: "definite", what, advice: "check the network and apiBaseUrl; it is tried again" };
  }
  return { class: "ambiguous", what, advice: "what became of the call is unknown" };
}

/** By shape, not by `instanceof`: the host may have loaded another copy of the plugin SDK. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError" && "sent" in error && error.sent === false;
}

function limitText(text: string): string {
  return text.slice(0, DESCRIPTION_LIMIT_CHARS).toWellFormed();
}
