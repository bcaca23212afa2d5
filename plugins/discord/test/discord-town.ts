import {
  createDiscordEmulator,
  type DiscordChannel,
  type DiscordChat,
  type DiscordEmulator,
  type DiscordGuild,
  type DiscordUser,
} from "@banyan/emulator-discord";
import { onTestFinished } from "vitest";
import { BOT_ID, TestAccount, type TestAccountOptions, TOKEN } from "./test-account.ts";

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

export async function openDiscordTown(): Promise<DiscordTown> {
  const discord = await createDiscordEmulator({});
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
