import type { ChannelErrorClass } from "@banyan/plugin-sdk";
import { GrammyError, HttpError } from "grammy/web";
import { ERROR_TABLE } from "./error-table.ts";

/** What a failed call means: the error class and what its `ChannelError` says. Pure data. */
export interface TelegramFault {
  readonly class: ChannelErrorClass;
  /** The row of the error table, absent where Telegram did not answer. */
  readonly row?: string;
  /** What was wrong and what was received. May quote the platform, so it is not yet free of secrets. */
  readonly what: string;
  readonly advice: string;
  /** With `rate_limited`. */
  readonly retryAfterMs?: number;
  /** With `rate_limited`: other chats of the account are held as well. */
  readonly isAccountWide?: boolean;
  /** With `migrated`: the id of the supergroup. */
  readonly migratedToChatId?: string;
}

/** Of a row that names no codes. */
const REFUSAL_CODES = [400, 499] as const;
/** Descriptions are short sentences; a proxy's may be a page. */
const DESCRIPTION_LIMIT_CHARS = 300;
/** Where a 429 names no time: Telegram's shortest usual one. */
const DEFAULT_RETRY_AFTER_MS = 5_000;
/** Longer ones are heard of after mass sending. A day keeps a mistaken figure from parking a chat for ever. */
const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1000;

/** The fault behind anything that a call of `bot.api` throws. Total: what it does not know is `ambiguous`. */
export function classifyTelegramError(error: unknown): TelegramFault {
  if (error instanceof GrammyError) return classifyAnswer(error);
  if (error instanceof HttpError) return classifyLoss(error.error);
  return classifyLoss(error);
}

function classifyAnswer(error: GrammyError): TelegramFault {
  const code = Number(error.error_code);
  const description = String(error.description).slice(0, DESCRIPTION_LIMIT_CHARS);
  const what = `refused with ${code} ${JSON.stringify(description)}`;
  const movedTo = error.parameters?.migrate_to_chat_id;
  if (code === 400 && movedTo !== undefined) {
    const advice = "the group lives on under a new id, which is used from now on";
    return { class: "migrated", row: "T12", what, advice, migratedToChatId: String(movedTo) };
  }
  const text = description.toLowerCase();
  const row = ERROR_TABLE.find(
    ({ codes: [low, high] = REFUSAL_CODES, texts, isWhole }) =>
      code >= low &&
      code <= high &&
      (texts.length === 0 || texts.some((part) => (isWhole ? text === part : text.includes(part)))),
  );
  if (row === undefined) {
    return { class: "ambiguous", what, advice: "the code is not one of the Bot API; check apiBaseUrl" };
  }
  const fault = { class: row.class, row: row.row, what, advice: row.advice };
  return row.class === "rate_limited" ? { ...fault, retryAfterMs: resolveRetryAfterMs(error) } : fault;
}

function resolveRetryAfterMs(error: GrammyError): number {
  const seconds = Number(error.parameters?.retry_after);
  return seconds > 0 ? Math.min(seconds * 1000, RETRY_AFTER_LIMIT_MS) : DEFAULT_RETRY_AFTER_MS;
}

/** No answer, or none that can be read. Only the transport can vouch that nothing was sent. */
function classifyLoss(error: unknown): TelegramFault {
  const what = error instanceof Error ? `failed, ${error.message}` : "failed for an unknown reason";
  if (isUnsent(error))
    return { class: "definite", what, advice: "check the network and apiBaseUrl; it is tried again" };
  return { class: "ambiguous", what, advice: "what became of the call is unknown" };
}

/** By shape, not by `instanceof`: the host may have loaded another copy of the plugin SDK. */
function isUnsent(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError" && "sent" in error && error.sent === false;
}
