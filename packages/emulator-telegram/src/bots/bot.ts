import type { Clock, Signal } from "@banyan/emulator-kit";
import type { Chat, ChatAccount } from "../chats/chat.ts";
import type { WireUser } from "../chats/person.ts";
import { Webhook } from "../webhooks/webhook.ts";
import { type BotAbilities, NEW_BOT_ABILITIES, type SomeBotAbilities } from "./bot-ability.ts";
import type { BotTrouble } from "./bot-trouble.ts";
import { LongPoll } from "./long-poll.ts";
import { UpdateQueue } from "./update-queue.ts";
import { WebhookSetting } from "./webhook-setting.ts";

/** How a test describes a bot; the id is the token's number. */
export interface BotSpec {
  /** `<id>:<secret>`, as BotFather gives it. */
  readonly token: string;
  readonly username: string;
  readonly firstName?: string;
  /** Where they differ from those of a new bot: it may join groups and reads there what is meant for it. */
  readonly abilities?: SomeBotAbilities;
}

/** What every bot of an emulator has around it. */
export interface BotSurroundings {
  readonly clock: Clock;
  readonly random: () => number;
  /** Fires at each change of what was sent to the bot's webhook. */
  readonly delivered: Signal;
}

/** Off unless a bot asks for them. */
const OPT_IN_UPDATES: ReadonlySet<string> = new Set(["chat_member", "message_reaction", "message_reaction_count"]);

/** One bot identity: its token, its queue of updates and its private chats. */
export class Bot implements ChatAccount {
  readonly id: number;
  readonly token: string;
  readonly profile: WireUser & { readonly username: string };
  readonly updates: UpdateQueue;
  readonly poll: LongPoll;
  /** Its private chats, by the id of the person. */
  readonly chats: Map<number, Chat> = new Map();
  /** Commands by scope and language. */
  readonly commands: Map<string, unknown> = new Map();
  abilities: BotAbilities;
  trouble: BotTrouble = "none";
  /** Whether messages of other bots in groups reach it, which Telegram allows to few. */
  hearsOtherBots = false;
  readonly webhook: Webhook;
  readonly webhookSetting: WebhookSetting;
  #allowed: ReadonlySet<string> | undefined;
  /** In private chats, message ids grow over all chats of the account. */
  #lastMessageId = 0;
  #lastOffset: number | undefined;
  #lastPollMs = 0;
  readonly #clock: Clock;

  constructor(spec: BotSpec & { readonly id: number }, { clock, random, delivered }: BotSurroundings) {
    const pickUpdateId = (): number => 100_000_000 + Math.floor(random() * 800_000_000);
    this.id = spec.id;
    this.token = spec.token;
    this.profile = {
      id: spec.id,
      is_bot: true,
      first_name: spec.firstName ?? spec.username,
      username: spec.username,
    };
    this.abilities = { ...NEW_BOT_ABILITIES, ...spec.abilities };
    this.updates = new UpdateQueue(pickUpdateId(), pickUpdateId);
    this.poll = new LongPoll(clock);
    this.webhookSetting = new WebhookSetting(clock);
    this.webhook = new Webhook({ updates: this.updates, clock, random, changed: delivered });
    this.#clock = clock;
  }

  get allowedUpdates(): readonly string[] | undefined {
    return this.#allowed === undefined ? undefined : [...this.#allowed];
  }

  /** Sticks until it is given again; an empty list is the default one. */
  allowUpdates(kinds: readonly string[]): void {
    this.#allowed = kinds.length === 0 ? undefined : new Set(kinds);
  }

  /** Queues an update, unless the bot has not asked for its kind. */
  notify(kind: string, payload: unknown): void {
    const wanted = this.#allowed === undefined ? !OPT_IN_UPDATES.has(kind) : this.#allowed.has(kind);
    if (!wanted) return;
    this.updates.add(kind, payload, this.#clock.nowMs());
    this.poll.wake();
    this.webhook.wake();
  }

  /** How the real server slows a bot down that asks with the same offset again. */
  pace(offset: number, nowMs: number): { readonly isHurried: boolean; readonly minTimeoutS: number } {
    const sinceMs = offset === this.#lastOffset ? nowMs - this.#lastPollMs : Number.POSITIVE_INFINITY;
    this.#lastOffset = offset;
    this.#lastPollMs = nowMs;
    return { isHurried: sinceMs < 500, minTimeoutS: sinceMs < 3000 ? 3 : 0 };
  }

  get lastMessageId(): number {
    return this.#lastMessageId;
  }

  nextMessageId(): number {
    this.#lastMessageId += 1;
    return this.#lastMessageId;
  }
}
