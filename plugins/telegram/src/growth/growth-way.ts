import type { ChatPlace } from "../chat-place.ts";
import type { TelegramConfig } from "../telegram-config.ts";

/** How an answer is shown while it grows. */
export type GrowthWay = "draft" | "edits" | "none";

export interface GrowthFacts {
  readonly growingAnswers: TelegramConfig["growingAnswers"];
  readonly isPrivate: boolean;
  /** Neither the server nor this chat has refused a draft yet. */
  readonly knowsDrafts: boolean;
  /** A message stands for the turn already, from this life or an earlier one. */
  readonly hasMessage: boolean;
}

/** Before anything is shown. A message that appears and is changed at once is a nuisance, a draft is none. */
export const FIRST_AFTER_MS: Readonly<Record<GrowthWay, number>> = { draft: 500, edits: 1_500, none: 1_500 };
/** Drafts vanish after 30 seconds ("sendMessageDraft", core.telegram.org/bots/api). */
export const REFRESH_MS = 20_000;
const DRAFT_EVERY_MS = 1_000;
/** Edits count as messages, and whoever makes too many waits with the answer itself, for minutes. */
const EDIT_EVERY_MS = 3_000;
/** At most 20 messages a minute in a group (bots' FAQ), and others write there as well. */
const GROUP_EDIT_EVERY_MS = 6_000;
const EDIT_EVERY_LIMIT_MS = 30_000;
/** The longer an answer grows, the rarer it is edited: some 25 times in three minutes. */
const AGE_SHARE = 1 / 8;

export function decideGrowth({ growingAnswers, isPrivate, knowsDrafts, hasMessage }: GrowthFacts): GrowthWay {
  if (growingAnswers === "off") return "none";
  // What stands in the chat goes on there, also where drafts are known by now.
  if (growingAnswers === "edits" || hasMessage) return "edits";
  if (!isPrivate) return "none";
  return knowsDrafts ? "draft" : "edits";
}

/** Between two texts, by how long the first one has been there. */
export function nextAfterMs(way: GrowthWay, { isPrivate }: Pick<ChatPlace, "isPrivate">, ageMs: number): number {
  if (way === "draft") return DRAFT_EVERY_MS;
  const leastMs = isPrivate ? EDIT_EVERY_MS : GROUP_EDIT_EVERY_MS;
  return Math.min(Math.max(leastMs, ageMs * AGE_SHARE), EDIT_EVERY_LIMIT_MS);
}
