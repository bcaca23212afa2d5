import { type Clock, createSignal } from "@banyan/emulator-kit";
import type { Bot } from "./bots/bot.ts";
import { BotDirectory } from "./bots/bot-directory.ts";
import { QueryList } from "./bots/query-list.ts";
import { Chat } from "./chats/chat.ts";
import { buildPerson, type Person, type UserSpec, type WireUser } from "./chats/person.ts";
import { FileStore } from "./files/file-store.ts";
import { EmulatorError } from "./ports/error.ts";
import { RoomDirectory } from "./rooms/room-directory.ts";

export interface PlatformOptions {
  readonly clock: Clock;
  readonly patience: Clock;
  readonly random: () => number;
  /** Whether chats keep everything, for tests to read. */
  readonly isExact: boolean;
  /** Whether a bot that repeats an offset quickly is slowed down, as the real server does. */
  readonly isPacingStrict: boolean;
  /** Whether webhooks may be on loopback and without TLS, as on a Bot API server of one's own with `--local`; no if left out. */
  readonly isLocalServer?: boolean;
  /** Called with each message that a bot sends to a person, for a bench that answers at once. */
  readonly onSent?: SentListener | undefined;
}

export type SentListener = (sent: { readonly userId: number; readonly text: string }) => void;

/** The emulated Telegram itself: bots, people, their chats and their rooms. It knows nothing of HTTP and of faults. */
export class Platform {
  readonly clock: Clock;
  readonly bots: BotDirectory;
  readonly rooms: RoomDirectory;
  readonly files: FileStore = new FileStore();
  readonly queries: QueryList;
  readonly isPacingStrict: boolean;
  readonly isLocalServer: boolean;
  readonly onSent: SentListener | undefined;
  readonly #people = new Map<number, Person>();
  readonly #patience: Clock;
  readonly #isExact: boolean;
  #lastAlbum = 0;

  constructor(options: PlatformOptions) {
    this.clock = options.clock;
    this.bots = new BotDirectory(options.clock, options.random, () => createSignal(options.patience));
    this.rooms = new RoomDirectory(() => createSignal(options.patience), options.isExact);
    this.queries = new QueryList(createSignal(options.patience));
    this.isPacingStrict = options.isPacingStrict;
    this.isLocalServer = options.isLocalServer ?? false;
    this.onSent = options.onSent;
    this.#patience = options.patience;
    this.#isExact = options.isExact;
  }

  /** Registers a user; one that is known already stays. */
  addPerson(spec: UserSpec): void {
    if (!this.#people.has(spec.id)) this.#people.set(spec.id, buildPerson(spec));
  }

  findPerson(id: number): Person | undefined {
    return this.#people.get(id);
  }

  getPerson(id: number): Person {
    const person = this.#people.get(id);
    if (person === undefined) throw new EmulatorError("unknown_user", `finding user ${id}: call user() first`);
    return person;
  }

  /** A person or a bot, as others see it. */
  getAccount(id: number): WireUser {
    return this.bots.find(id)?.profile ?? this.getPerson(id).profile;
  }

  /** Sends nothing more by itself. */
  close(): void {
    for (const bot of this.bots.all()) bot.webhook.set(undefined);
  }

  /** Never the same twice. */
  nextAlbumId(): string {
    this.#lastAlbum += 1;
    return String(13_000_000_000_000_000 + this.#lastAlbum);
  }

  /** The private chat of a person with a bot, also before it is started. */
  getChat(bot: Bot, person: Person): Chat {
    const known = bot.chats.get(person.profile.id);
    if (known !== undefined) return known;
    const chat = new Chat(bot, person, createSignal(this.#patience), this.#isExact);
    bot.chats.set(person.profile.id, chat);
    return chat;
  }
}
