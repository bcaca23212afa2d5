import type { BotSpec } from "./bots/bot.ts";
import type { UserSpec } from "./chats/person.ts";
import type { BotState, ChatHistory, Control } from "./control/control.ts";
import { FaultControl } from "./fault-control.ts";
import { EmulatorError } from "./ports/error.ts";
import type { CallCount, CallFilter, CallRecord } from "./records/call-record.ts";
import { TelegramUser } from "./telegram-user.ts";

const PATIENCE_MS = 4000;

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

  /** Every chat of every bot, with all versions of all messages. */
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
