import type { SomeBotAbilities } from "../bots/bot-ability.ts";
import type { BotTrouble } from "../bots/bot-trouble.ts";
import type { WireFields } from "../chats/message.ts";
import type { FloodLimits } from "../server/flood-limit.ts";

/** The part of Control that is about the service itself: accounts, limits, time. */
export interface WorldControl {
  setBot(change: BotChange): Promise<void>;
  /** Queues an update as it is, also of a kind nobody knows; its id is the emulator's. */
  pushUpdate(push: UpdatePush): Promise<void>;
  /** From now on calls about the chat, or about any chat, get 429 until the time has passed. */
  flood(flood: Flood): Promise<void>;
  /** Replaces all limits on sending; none where the object is empty. */
  setLimits(limits: FloodLimits): Promise<void>;
  /** Puts the emulator's clock forward and runs what falls due. */
  passTime(time: { readonly ms: number }): Promise<void>;
}

/** What is left out stays. */
export interface BotChange {
  readonly botId?: number;
  /** By the Bot API's names; `can_read_all_group_messages: true` switches privacy mode off. */
  readonly abilities?: SomeBotAbilities;
  /** Whether messages of other bots in groups reach it; no for a new bot. */
  readonly hearsOtherBots?: boolean;
  readonly trouble?: BotTrouble;
}

export interface UpdatePush {
  readonly botId?: number;
  /** The kind of the update and what belongs to it. */
  readonly update: WireFields;
}

export interface Flood {
  readonly botId?: number;
  readonly chatId?: number;
  readonly retryAfterS: number;
}
