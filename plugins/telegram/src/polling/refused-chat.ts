import type { Clock, InboundMessage, Log, ReceiveOutcome } from "@banyan/plugin-sdk";
import { formatAllowLine } from "../updates/membership.ts";

/** Tells the operator, once a process, of a group where the bot is called and may not talk: its id stands nowhere else. */
export interface RefusedChats {
  note(chat: { readonly id: number; readonly name: string }, message: InboundMessage, outcome?: ReceiveOutcome): void;
}

/** Groups whose place is known; beyond it the oldest is forgotten and may be told again. */
const CHATS_LIMIT = 1_000;
/** Older calls are refused for their age as well. */
const FRESH_MS = 10 * 60_000;

export function createRefusedChats(account: string, log: Log, clock: Pick<Clock, "now">): RefusedChats {
  /** Told of, or let in. */
  const known = new Set<number>();
  return {
    note(chat, message, outcome) {
      // Without being called a refusal is what the mention gate is for; bots and edits have reasons of their own.
      if (!message.addressed || message.sender.isBot || message.editedAt !== undefined || known.has(chat.id)) return;
      if (outcome === undefined || clock.now() - message.at > FRESH_MS) return;
      const [oldest] = known;
      if (known.size >= CHATS_LIMIT && oldest !== undefined) known.delete(oldest);
      known.add(chat.id);
      if (outcome !== "refused") return;
      const cure = `if the bot is to talk there: ${formatAllowLine(account, chat.id)}`;
      log.info({ chatId: chat.id }, `Telegram: a message for the bot in ${chat.name} was not taken; ${cure}`);
    },
  };
}
