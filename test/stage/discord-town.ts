import {
  createDiscordEmulator,
  type DiscordChannel,
  type DiscordChat,
  type DiscordEmulator,
  type DiscordGuild,
  type DiscordUser,
} from "@banyan/emulator-discord";
import { onTestFinished } from "vitest";

/** Looks like a bot's token, and is none: the first part is the bot's id. */
export const DISCORD_TOKEN = "NzAwMDAwMDAwMDAwMDAwMDAx.Grove1.emulated-token-of-the-grove-bot-0001";
export const BOT_ID = "700000000000000001";
export const ADA_ID = "100000000000000007";
export const BEN_ID = "100000000000000008";

export interface DiscordTown {
  readonly discord: DiscordEmulator;
  readonly guild: DiscordGuild;
  readonly general: DiscordChannel;
  readonly ada: DiscordUser;
  /** Ada in #general, and in the direct chat with the bot. */
  readonly inGeneral: DiscordChat;
  readonly inDm: DiscordChat;
  /** What switches the channel on, with Ada let in. */
  readonly env: Record<string, string>;
  /** The channel's part of a configuration that lets the bot answer in the whole server. */
  readonly channels: object;
}

/** A Discord with one server, one bot in it and Ada; closed with the test. */
export async function openDiscord(account: object = {}): Promise<DiscordTown> {
  const discord = await createDiscordEmulator({});
  onTestFinished(() => discord.close());
  const bot = await discord.addBot({ token: DISCORD_TOKEN, username: "grove", id: BOT_ID });
  const ada = await discord.user({ id: ADA_ID, username: "ada" });
  const guild = await discord.createGuild({ name: "The Grove", bots: [bot], members: [ada] });
  const general = await guild.createChannel({ name: "general", kind: "text" });
  const env = { DISCORD_BOT_TOKEN: DISCORD_TOKEN, DISCORD_API_URL: discord.url, DISCORD_ALLOW_FROM: ADA_ID };
  const groups = { guilds: [guild.id] };
  const channels = { discord: { accounts: { default: { groups, ...account } } } };
  return { discord, guild, general, ada, inGeneral: ada.in(general), inDm: ada.dm(), env, channels };
}
