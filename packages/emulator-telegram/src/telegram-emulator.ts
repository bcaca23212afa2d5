import { PATIENCE_MS } from "@banyan/emulator-kit";
import type { BotSpec } from "./bots/bot.ts";
import type { UserSpec } from "./chats/person.ts";
import type { BotState, ChatHistory, Control } from "./control/control.ts";
import type { RoomHistory, RoomSpec } from "./control/room-control.ts";
import type { BotChange, Flood, UpdatePush } from "./control/world-control.ts";
import { FaultControl } from "./fault-control.ts";
import { EmulatorError } from "./ports/error.ts";
import type { CallCount, CallFilter, CallRecord } from "./records/call-record.ts";
import type { FloodLimits } from "./server/flood-limit.ts";
import type { Account } from "./telegram-member.ts";
import { TelegramRoom } from "./telegram-room.ts";
import { TelegramUser } from "./telegram-user.ts";
import { TelegramWebhook } from "./telegram-webhook.ts";

/** How a test describes a room; basic groups have no public name. */
export interface NewRoom extends Pick<RoomSpec, "kind" | "title" | "username" | "id" | "isForum"> {
  readonly creator: Account;
  /** People who are in it from the beginning. */
  readonly members?: readonly Account[];
  /** Bots that the creator adds: members of a group, administrators of a channel. */
  readonly bots?: readonly Account[];
}

export interface EmulatorConnection {
  /** The root of the Bot API: calls go to `<url>/bot<token>/<method>`. */
  readonly url: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** An emulated Telegram, as a test or a bench holds it; the same for one in this process and one in another. */
export class TelegramEmulator {
  readonly url: string;
  readonly faults: FaultControl;
  readonly #connection: EmulatorConnection;
  readonly #users = new Map<string, TelegramUser>();

  /** By createTelegramEmulator, connectTelegramEmulator or spawnTelegramEmulator. */
  constructor(connection: EmulatorConnection) {
    this.url = connection.url;
    this.faults = new FaultControl(connection.control);
    this.#connection = connection;
  }

  addBot(spec: BotSpec): Promise<BotState> {
    return this.#connection.control.addBot(spec);
  }

  /** The state of a bot; the id may be left out where there is only one. */
  bot(botId?: number): Promise<BotState> {
    return this.#connection.control.readBot(botId === undefined ? {} : { botId });
  }

  /** From now on calls with its token get 401. */
  revokeBot(botId?: number): Promise<void> {
    return this.#connection.control.revokeBot(botId === undefined ? {} : { botId });
  }

  /** A person in the private chat with a bot; asked again, the same object. `botId` is needed where there are several. */
  async user(spec: UserSpec, botId?: number): Promise<TelegramUser> {
    const key = `${spec.id}/${botId ?? ""}`;
    const known = this.#users.get(key);
    if (known !== undefined) return known;
    const user = new TelegramUser(this.#connection.control, spec, botId);
    this.#users.set(key, user);
    await this.#connection.control.addUser(spec);
    return user;
  }

  /** Many lines in one go, for a bench; resolves with the message ids in the same order. */
  sayAll(lines: readonly { readonly user: TelegramUser; readonly text: string }[]): Promise<readonly number[]> {
    return this.#connection.control.say(lines.map(({ user, text }) => ({ ...user.chat, text })));
  }

  /** A group, a supergroup or a channel with its people and bots. */
  async createRoom(spec: NewRoom): Promise<TelegramRoom> {
    const { creator, members = [], bots = [], ...rest } = spec;
    const control = this.#connection.control;
    const state = await control.createRoom({
      ...rest,
      creatorId: creator.id,
      memberIds: members.map(({ id }) => id),
      botIds: bots.map(({ id }) => id),
    });
    return new TelegramRoom(control, state);
  }

  /** All rooms, or those that someone is in, with their messages. */
  rooms(member?: Account): Promise<readonly RoomHistory[]> {
    return this.#connection.control.readRooms(member === undefined ? {} : { memberId: member.id });
  }

  /** Changes what getMe tells of a bot, whether it hears other bots, or what is wrong with its account. */
  setBot(change: BotChange): Promise<void> {
    return this.#connection.control.setBot(change);
  }

  /** Gives a bot an update as it is, such as one of a kind that nobody knows yet. */
  pushUpdate(update: UpdatePush["update"], botId?: number): Promise<void> {
    return this.#connection.control.pushUpdate({ update, ...(botId !== undefined && { botId }) });
  }

  /** What is sent to the webhook of a bot; the id may be left out where there is only one. */
  webhook(botId?: number): TelegramWebhook {
    return new TelegramWebhook(this.#connection.control, botId);
  }

  /** 429 from now on, in one chat or in all, until the time has passed by the emulator's clock. */
  flood(flood: Flood): Promise<void> {
    return this.#connection.control.flood(flood);
  }

  /** Limits on sending from now on, none for an empty object; REAL_LIMITS are Telegram's. */
  setLimits(limits: FloodLimits): Promise<void> {
    return this.#connection.control.setLimits(limits);
  }

  /** Puts the emulator's clock forward, which runs on by itself all the same. */
  passTime(ms: number): Promise<void> {
    return this.#connection.control.passTime({ ms });
  }

  /** Every private chat of every bot, with all versions of all messages. */
  chats(): Promise<readonly ChatHistory[]> {
    return this.#connection.control.readChats({});
  }

  /** The API calls in the order they came; rejects in the mode "counts". */
  record(filter: CallFilter = {}): Promise<readonly CallRecord[]> {
    return this.#connection.control.readRecord(filter);
  }

  /** Numbers of calls by method, in both modes. */
  counts(): Promise<Readonly<Record<string, CallCount>>> {
    return this.#connection.control.readCounts();
  }

  /** Resolves when `count` calls of the method have been accepted since the start. */
  async called(method: string, count: number = 1, timeoutMs: number = PATIENCE_MS): Promise<void> {
    const accepted = await this.#connection.control.awaitCalls({ method, count, timeoutMs });
    if (accepted < count) {
      throw new EmulatorError(
        "not_called",
        `waiting ${timeoutMs} ms for ${count} calls of ${method}: ${accepted} came`,
      );
    }
  }

  /** Ends an emulator of this process or one that was spawned; only lets go of one that was connected to. */
  close(): Promise<void> {
    return this.#connection.close();
  }
}
