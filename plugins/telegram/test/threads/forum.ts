import type { TelegramEmulator, TelegramRoom, TelegramUser } from "@banyan/emulator-telegram";
import { type Address, type ChannelConnection, formatAddress, type ThreadsAbility } from "@banyan/plugin-sdk";
import { assert } from "vitest";
import { openTelegramTown } from "../telegram-town.ts";
import type { TestAccount, TestAccountOptions } from "../test-account.ts";

export const OPENING = { bindingId: "binding-1", name: "census", hello: "🌱 “census” works here; write to it." };

/** A hall of Ada and the bot, and the bot's account, connected. */
export interface Forum {
  readonly telegram: TelegramEmulator;
  readonly ada: TelegramUser;
  readonly hall: TelegramRoom;
  readonly bot: { readonly id: number };
  readonly account: TestAccount;
  readonly connection: ChannelConnection;
  readonly threads: Required<ThreadsAbility>;
  /** The hall, or one of its threads. */
  readonly address: (thread?: string | number) => Address;
  /** Another life of the account, with what this one has stored. */
  reconnect(options?: TestAccountOptions): Promise<Forum>;
}

export interface ForumOptions extends TestAccountOptions {
  readonly kind?: "forum" | "supergroup";
}

export async function openForum({ kind = "forum", ...options }: ForumOptions = {}): Promise<Forum> {
  const { telegram, ada, createAccount } = await openTelegramTown();
  const bot = await telegram.bot();
  const people = { creator: ada, bots: [bot] };
  const hall = await telegram.createRoom({ kind: "supergroup", title: "Hall", isForum: kind === "forum", ...people });
  if (kind === "forum") await hall.promotes(bot, ada, { rights: { can_manage_topics: true } });
  const chat = String(hall.chatId);
  const address = (thread?: string | number): Address => {
    const place = { channel: "telegram", account: "default", kind: "group", chat } as const;
    return formatAddress(thread === undefined ? place : { ...place, thread: String(thread) });
  };
  async function connect(more: TestAccountOptions): Promise<Forum> {
    const account = createAccount(more);
    const connection = await account.connect();
    const { threads } = connection;
    assert(threads?.rename !== undefined);
    const whole = { ...threads, rename: threads.rename };
    const reconnect = async (again: TestAccountOptions = {}) => {
      await account.close();
      return connect({ cursor: account.cursor, ...again });
    };
    return { telegram, ada, hall, bot, account, connection, threads: whole, address, reconnect };
  }
  return connect(options);
}

/** What stands in the hall: the topics' names, and what the bot has said by topic. */
export async function readHall({ hall, ada }: Forum): Promise<readonly (readonly [name: string, said: string[]])[]> {
  const { topics } = await hall.history();
  const messages = await hall.member(ada).messages();
  return topics.map(({ id, name, isClosed }) => [
    isClosed ? `${name} (closed)` : name,
    messages.filter(({ extra }) => extra?.message_thread_id === id).map(({ text }) => text),
  ]);
}
