import type { ChatHistory, DiscordChannel, DiscordEmulator, DiscordUser } from "@banyan/emulator-discord";
import { type Desk, type DeskChat, type DeskLine, type DeskPress, DeskRefusal } from "./desk.ts";
import { describeMessage, describePost } from "./discord-message.ts";

/** No platform's token: the emulator takes it, and nobody else does. Its first part is the bot's id. */
const TOKEN = "NzAwMDAwMDAwMDAwMDAwMDAx.Emudev.dev-emulated-discord";
const BOT = { id: "700000000000000001", token: TOKEN, username: "Banyan" } as const;
const ADA = { id: "100000000000000001", username: "ada", globalName: "Ada" } as const;
const BEN = { id: "100000000000000002", username: "ben", globalName: "Ben" } as const;
const PEOPLE = [ADA, BEN] as const;
const SERVER = "The Grove";
const THREADS: ReadonlySet<string> = new Set(["thread", "private-thread"]);
/** As long as Discord lets the name of a thread be. */
const NAME_LIMIT_CHARS = 100;

/** What the emulator throws where a person may not do so. */
type RefusalKind = abstract new (...args: never) => Error;

/** An emulated Discord: a server with a channel and a forum, and two people, each with a direct chat with the bot. */
export class DiscordDesk implements Desk {
  readonly channel = "discord";
  readonly title = "Discord";
  readonly account: Desk["account"];
  readonly #discord: DiscordEmulator;
  readonly #people: readonly DiscordUser[];
  readonly #forum: DiscordChannel;
  readonly #refusal: RefusalKind;

  private constructor(
    discord: DiscordEmulator,
    people: readonly DiscordUser[],
    forum: DiscordChannel,
    refusal: RefusalKind,
  ) {
    this.#discord = discord;
    this.#people = people;
    this.#forum = forum;
    this.#refusal = refusal;
    // Whoever tries the bot writes to it: nobody has to mention it first.
    const groups = { policy: "open", requireMention: false };
    this.account = { token: TOKEN, apiBaseUrl: discord.url, dmPolicy: "open", groups };
  }

  static async open(): Promise<DiscordDesk> {
    // A program that embeds a gateway imports this file, too, and has no use for the emulator.
    const { createDiscordEmulator, EmulatorError } = await import("@banyan/emulator-discord");
    const discord = await createDiscordEmulator();
    try {
      const bot = await discord.addBot(BOT);
      const people = await Promise.all(PEOPLE.map((person) => discord.user(person)));
      const guild = await discord.createGuild({ name: SERVER, members: people, bots: [bot] });
      await guild.createChannel({ name: "general" });
      const forum = await guild.createChannel({ name: "ideas", kind: "forum" });
      for (const person of people) await person.dm().state();
      return new DiscordDesk(discord, people, forum, EmulatorError);
    } catch (error) {
      await discord.close();
      throw error;
    }
  }

  async chats(): Promise<readonly DeskChat[]> {
    const all = (await this.#discord.chats()).filter(({ isDeleted }) => !isDeleted);
    const names = {
      people: new Map([BOT, ...PEOPLE].map((one) => [one.id, "globalName" in one ? one.globalName : one.username])),
      channels: new Map(all.map(({ id, name }) => [id, name])),
    };
    const below = (parent: ChatHistory) => all.filter(({ parentId }) => parentId === parent.id);
    const describe = (chat: ChatHistory): DeskChat => ({
      ...describePlace(chat),
      messages:
        chat.kind === "forum"
          ? below(chat).map((post) => describePost(post, names))
          : chat.messages.map((message) => describeMessage(message, names)).filter((one) => one !== undefined),
    });
    const channels = all.filter(({ kind, guildId }) => guildId !== undefined && !THREADS.has(kind));
    const direct = all.filter(({ kind }) => kind === "dm");
    return [...channels.flatMap((channel) => [channel, ...below(channel)]), ...direct].map(describe);
  }

  async say({ chat, person, text }: DeskLine): Promise<void> {
    const user = await this.#findUser(chat, person);
    const line = text.replaceAll(new RegExp(`@${BOT.username}\\b`, "gi"), `<@${BOT.id}>`);
    await this.#attempt(`${person} cannot write there now`, async () => {
      if (chat === this.#forum.id) await this.#post(user, line);
      else await user.in({ id: chat }).says(line);
    });
  }

  async press({ chat, person, message, button }: DeskPress): Promise<string> {
    const user = await this.#findUser(chat, person);
    return this.#attempt(`${person} pressed a button that no one answers`, async () => {
      const interaction = await user.in({ id: chat }).presses(message, button);
      const { content, isEphemeral } = await interaction.acknowledged();
      return isEphemeral ? content : "";
    });
  }

  close(): Promise<void> {
    return this.#discord.close();
  }

  async #findUser(chat: string, person: string): Promise<DiscordUser> {
    const user = this.#people[PEOPLE.findIndex(({ globalName }) => globalName === person)];
    if (user === undefined) throw new DeskRefusal(`No person here is called ${JSON.stringify(person)}`);
    const place = (await this.chats()).find(({ id }) => id === chat);
    if (place?.people.includes(person) === true) return user;
    throw new DeskRefusal(`${person} is in no chat ${JSON.stringify(chat)}`);
  }

  /** What the emulator refuses is told in a sentence. */
  async #attempt<Result>(sentence: string, act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof this.#refusal)) throw error;
      throw new DeskRefusal(sentence, { cause: error });
    }
  }

  /** What is said in a forum opens a post. */
  async #post(user: DiscordUser, text: string): Promise<void> {
    const [name = ""] = text.split("\n", 1);
    await this.#forum.createThread(user, { name: name.slice(0, NAME_LIMIT_CHARS), text });
  }
}

function describePlace(chat: ChatHistory): Omit<DeskChat, "messages"> {
  const { id, kind, name, parentId, memberIds } = chat;
  const marks = [...(chat.isArchived ? ["archived"] : []), ...(chat.isLocked ? ["locked"] : [])];
  const isFew = kind === "dm" || kind === "private-thread";
  const people = PEOPLE.filter((person) => !isFew || memberIds.includes(person.id));
  const names = people.map(({ globalName }) => globalName);
  if (kind === "dm") return { id, title: names.join(), marks, people: names, example: "count words in ." };
  const isThread = THREADS.has(kind);
  return {
    id,
    title: isThread ? name : `# ${name}`,
    place: SERVER,
    ...(isThread && parentId !== undefined && { parent: parentId }),
    marks,
    people: names,
    example: kind === "forum" ? "What shall we grow next?" : "/spawn --thread slow 5",
  };
}
