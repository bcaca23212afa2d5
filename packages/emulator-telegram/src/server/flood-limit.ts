import { z } from "zod";

/** Limits on what a bot sends; a limit that is left out does not apply. */
export interface FloodLimits {
  /** Over all chats of one bot; the Bot FAQ says about 30. */
  readonly perSecond?: number;
  /** In one chat; the Bot FAQ says about 1. */
  readonly perChatPerSecond?: number;
  /** In one group or channel; the Bot FAQ says 20. */
  readonly perGroupPerMinute?: number;
}

/** What the Bot FAQ tells of the real ones. */
export const REAL_LIMITS: FloodLimits = { perSecond: 30, perChatPerSecond: 1, perGroupPerMinute: 20 };

const limit = z.int().min(1).exactOptional();

export const floodLimitsSchema: z.ZodType<FloodLimits> = z.strictObject({
  perSecond: limit,
  perChatPerSecond: limit,
  perGroupPerMinute: limit,
});

/** Methods that count as writing. */
const COUNTED: ReadonlySet<string> = new Set([
  "sendMessage",
  "sendPhoto",
  "sendDocument",
  "sendMediaGroup",
  "editMessageText",
]);

interface Rule {
  readonly key: string;
  readonly limit: number | undefined;
  readonly windowMs: number;
}

/** Counts sends in windows of a second and a minute; off unless a test sets a limit or provokes a wait. */
export class FloodLimit {
  #limits: FloodLimits = {};
  #isOff = true;
  readonly #sent = new Map<string, { readonly window: number; count: number }>();
  /** Until when a bot, or a bot in one chat, is told to wait. */
  readonly #blocks = new Map<string, number>();

  constructor(limits: FloodLimits) {
    this.setLimits(limits);
  }

  setLimits(limits: FloodLimits): void {
    this.#limits = limits;
    this.#isOff = Object.keys(limits).length === 0 && this.#blocks.size === 0;
  }

  /** From now until then every call about the chat, or about any chat, is told to wait. */
  block(botId: number, chatId: number | undefined, untilMs: number): void {
    this.#blocks.set(chatId === undefined ? String(botId) : `${botId}/${chatId}`, untilMs);
    this.#isOff = false;
  }

  /** The seconds to wait where the call is one too many; a call let through is counted. */
  check(method: string, botId: number, chatId: unknown, nowMs: number): number | undefined {
    if (this.#isOff || chatId === undefined) return undefined;
    const botKey = String(botId);
    const chatKey = `${botId}/${chatId}`;
    const untilMs = Math.max(this.#blocks.get(botKey) ?? 0, this.#blocks.get(chatKey) ?? 0);
    if (untilMs > nowMs) return Math.ceil((untilMs - nowMs) / 1000);
    if (!COUNTED.has(method)) return undefined;

    const { perSecond, perChatPerSecond, perGroupPerMinute } = this.#limits;
    const rules: Rule[] = [
      { key: botKey, limit: perSecond, windowMs: 1000 },
      { key: chatKey, limit: perChatPerSecond, windowMs: 1000 },
      {
        key: `${chatKey}/minute`,
        limit: /^[-@]/.test(String(chatId)) ? perGroupPerMinute : undefined,
        windowMs: 60_000,
      },
    ];
    for (const rule of rules) {
      if (this.#read(rule, nowMs) < (rule.limit ?? Number.POSITIVE_INFINITY)) continue;
      return Math.ceil((rule.windowMs - (nowMs % rule.windowMs)) / 1000);
    }
    for (const rule of rules) this.#count(rule, nowMs);
    return undefined;
  }

  #read({ key, windowMs }: Rule, nowMs: number): number {
    const counted = this.#sent.get(key);
    return counted?.window === Math.floor(nowMs / windowMs) ? counted.count : 0;
  }

  #count(rule: Rule, nowMs: number): void {
    if (rule.limit === undefined) return;
    const count = this.#read(rule, nowMs) + 1;
    this.#sent.set(rule.key, { window: Math.floor(nowMs / rule.windowMs), count });
  }
}
