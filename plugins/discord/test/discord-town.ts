import {
  createDiscordEmulator,
  type DiscordChannel,
  type DiscordChat,
  type DiscordEmulator,
  type DiscordEmulatorOptions,
  type DiscordGuild,
  type DiscordUser,
} from "@banyan/emulator-discord";
import { onTestFinished } from "vitest";
import {
  BOT_ID,
  buildAddress,
  buildOutbound,
  type OutboundPart,
  TestAccount,
  type TestAccountOptions,
  TOKEN,
} from "./test-account.ts";

export const SEND = "POST /channels/:channel/messages";
export const EDIT = "PATCH /channels/:channel/messages/:message";

/** Discord with one bot and Ada, who are in one server. All of it ends with the test. */
export interface DiscordTown {
  readonly discord: DiscordEmulator;
  readonly guild: DiscordGuild;
  readonly general: DiscordChannel;
  readonly ada: DiscordUser;
  readonly inGeneral: DiscordChat;
  readonly inDm: DiscordChat;
  createAccount(options?: TestAccountOptions): TestAccount;
}

/** A town with an account that is connected. */
export interface SpeakingTown extends DiscordTown {
  readonly account: TestAccount;
  /** Sends to #general, a delivery of its own for each text; resolves with the message's id. */
  say(text: string, part?: OutboundPart, by?: TestAccount): Promise<string>;
}

export async function openSpeakingTown(
  options: TestAccountOptions & { readonly emulator?: DiscordEmulatorOptions } = {},
): Promise<SpeakingTown> {
  const { emulator, ...rest } = options;
  const town = await openDiscordTown(emulator);
  const account = town.createAccount(rest);
  await account.connect();
  return {
    ...town,
    account,
    async say(text, part = {}, by = account) {
      const message = buildOutbound(buildAddress(town.general.id), text, { deliveryId: text.slice(0, 40), ...part });
      return (await by.connection.send(message)).platformId;
    },
  };
}

export async function openDiscordTown(options: DiscordEmulatorOptions = {}): Promise<DiscordTown> {
  const discord = await createDiscordEmulator(options);
  const bot = await discord.addBot({ token: TOKEN, username: "grove", id: BOT_ID });
  const ada = await discord.user({ id: "100000000000000042", username: "ada" });
  const guild = await discord.createGuild({ name: "The Grove", bots: [bot], members: [ada] });
  const general = await guild.createChannel({ name: "general", kind: "text" });
  const accounts: TestAccount[] = [];
  onTestFinished(async () => {
    for (const account of accounts) await account.close();
    await discord.close();
  });
  return {
    discord,
    guild,
    general,
    ada,
    inGeneral: ada.in(general),
    inDm: ada.dm(),
    createAccount(options) {
      const account = new TestAccount(discord, options);
      accounts.push(account);
      return account;
    },
  };
}
