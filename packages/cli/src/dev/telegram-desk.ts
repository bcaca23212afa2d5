import type { TelegramEmulator, TelegramRoom } from "@banyan/emulator-telegram";
import { type Desk, type DeskChat, type DeskLine, DeskRefusal } from "./desk.ts";

/** No platform's token: the emulator takes any, and nobody else does. */
const TOKEN = "100000001:dev-emulated-telegram";
const BOT = { id: 100_000_001, token: TOKEN, username: "banyan_dev_bot", firstName: "Banyan" } as const;
const ADA = { id: 7_550_356_539, firstName: "Ada" } as const;
const BEN = { id: 7_550_356_540, firstName: "Ben" } as const;
const PEOPLE = [ADA, BEN] as const;
const GROVE = "grove";

/** An emulated Telegram with two people, each in a private chat with the bot, and a group of all three. */
export class TelegramDesk implements Desk {
  readonly channel = "telegram";
  readonly title = "Telegram";
  readonly account: Desk["account"];
  readonly #telegram: TelegramEmulator;
  readonly #grove: TelegramRoom;

  private constructor(telegram: TelegramEmulator, grove: TelegramRoom) {
    this.account = { token: TOKEN, apiBaseUrl: telegram.url, dmPolicy: "open", groups: { policy: "open" } };
    this.#telegram = telegram;
    this.#grove = grove;
  }

  static async open(): Promise<TelegramDesk> {
    // A program that embeds a gateway imports this file, too, and has no use for the emulator.
    const { createTelegramEmulator } = await import("@banyan/emulator-telegram");
    const telegram = await createTelegramEmulator();
    try {
      await telegram.addBot(BOT);
      await Promise.all(PEOPLE.map((person) => telegram.user(person)));
      const kind = "supergroup";
      const grove = await telegram.createRoom({ kind, title: "Grove", creator: ADA, members: [BEN], bots: [BOT] });
      return new TelegramDesk(telegram, grove);
    } catch (error) {
      await telegram.close();
      throw error;
    }
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

  async say({ chat, person: name, text }: DeskLine): Promise<void> {
    const person = PEOPLE.find(({ firstName }) => firstName === name);
    if (person === undefined) throw new DeskRefusal(`No person here is called ${JSON.stringify(name)}`);
    if (chat === GROVE) await this.#grove.member(person).says(text);
    else if (chat === `dm-${person.id}`) await (await this.#telegram.user(person)).says(text);
    else throw new DeskRefusal(`${name} is in no chat ${JSON.stringify(chat)}`);
  }

  async press(): Promise<string> {
    throw new DeskRefusal("The bot has no buttons on Telegram");
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
      marks: [],
      people,
      example: id === GROVE ? `@${BOT.username} count words in .` : "/spawn slow 5",
      messages: shown.map(({ messageId, author, authorId = onlyPerson, text, versions }) => ({
        id: String(messageId),
        author: author === "bot" ? BOT.firstName : (names.get(authorId) ?? String(authorId)),
        isBot: author === "bot",
        text,
        isEdited: versions.length > 1,
        at: versions[0]?.atMs ?? 0,
        isMarkdown: false,
        cards: [],
        buttons: [],
      })),
    };
  }
}
