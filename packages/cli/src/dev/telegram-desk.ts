import type { TelegramEmulator, TelegramRoom } from "@banyan/emulator-telegram";

/** No platform's token: the emulator takes any, and nobody else does. */
export const DEV_TOKEN = "100000001:dev-emulated-telegram";
const BOT = { id: 100_000_001, token: DEV_TOKEN, username: "banyan_dev_bot", firstName: "Banyan" } as const;
const ADA = { id: 7_550_356_539, firstName: "Ada" } as const;
const BEN = { id: 7_550_356_540, firstName: "Ben" } as const;
const PEOPLE = [ADA, BEN] as const;
const GROVE = "grove";

/** A chat as the page shows it. */
export interface DeskChat {
  readonly id: string;
  readonly title: string;
  /** Who can write here. */
  readonly people: readonly string[];
  readonly messages: readonly DeskMessage[];
}

export interface DeskMessage {
  readonly id: number;
  readonly author: string;
  readonly isBot: boolean;
  readonly text: string;
  readonly isEdited: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An emulated Telegram with two people, each in a private chat with the bot, and a group of all three. */
export class TelegramDesk {
  readonly url: string;
  readonly #telegram: TelegramEmulator;
  readonly #grove: TelegramRoom;

  private constructor(telegram: TelegramEmulator, grove: TelegramRoom) {
    this.url = telegram.url;
    this.#telegram = telegram;
    this.#grove = grove;
  }

  static async open(): Promise<TelegramDesk> {
    // A program that embeds a gateway imports this file, too, and has no use for the emulator.
    const { createTelegramEmulator } = await import("@banyan/emulator-telegram");
    const telegram = await createTelegramEmulator();
    await telegram.addBot(BOT);
    const [ada, ben] = await Promise.all(PEOPLE.map((person) => telegram.user(person)));
    if (ada === undefined || ben === undefined) throw new Error("The desk was opened: its people are missing");
    const grove = await telegram.createRoom({
      kind: "supergroup",
      title: "Grove",
      creator: ADA,
      members: [BEN],
      bots: [BOT],
    });
    return new TelegramDesk(telegram, grove);
  }

  async chats(): Promise<readonly DeskChat[]> {
    const dms = await Promise.all(
      PEOPLE.map(async (person) => {
        const messages = await (await this.#telegram.user(person)).history();
        const names = new Map([[person.id, person.firstName]]);
        return this.#describe(`dm-${person.id}`, person.firstName, [person.firstName], messages, names, person.id);
      }),
    );
    const { title, members, messages } = await this.#grove.history();
    const names = new Map(members.map(({ id, firstName }) => [id, firstName]));
    const people = PEOPLE.map(({ firstName }) => firstName);
    return [...dms, this.#describe(GROVE, title, people, messages, names, ADA.id)];
  }

  /** Writes as a person. Throws a `RangeError` for a chat or a person that is not there. */
  async say(chatId: string, name: string, text: string): Promise<void> {
    const person = PEOPLE.find(({ firstName }) => firstName === name);
    if (person === undefined) throw new RangeError(`Nobody here is called ${JSON.stringify(name)}`);
    if (chatId === GROVE) await this.#grove.member(person).says(text);
    else if (chatId === `dm-${person.id}`) await (await this.#telegram.user(person)).says(text);
    else throw new RangeError(`${name} is in no chat ${JSON.stringify(chatId)}`);
  }

  close(): Promise<void> {
    return this.#telegram.close();
  }

  #describe(
    id: string,
    title: string,
    people: readonly string[],
    messages: Awaited<ReturnType<TelegramRoom["history"]>>["messages"],
    names: ReadonlyMap<number, string>,
    onlyPerson: number,
  ): DeskChat {
    const shown = messages.filter(({ isDeleted, text }) => !isDeleted && text !== "");
    return {
      id,
      title,
      people,
      messages: shown.map(({ messageId, author, authorId = onlyPerson, text, versions }) => ({
        id: messageId,
        author: author === "bot" ? BOT.firstName : (names.get(authorId) ?? String(authorId)),
        isBot: author === "bot",
        text,
        isEdited: versions.length > 1,
        at: versions[0]?.atMs ?? 0,
      })),
    };
  }
}
