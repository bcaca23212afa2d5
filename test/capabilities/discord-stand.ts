import type { DiscordThread } from "@banyan/emulator-discord";
import type { Script } from "@banyan/runtime-demo";
import { BOT_ID, type DiscordTown, openDiscord } from "../stage/discord-town.ts";
import { type Grove, openGrove } from "../stage/grove.ts";
import { createListener, createScriptedAgent } from "../stage/scripted-agent.ts";

/** The bot in a server, and its gateway. */
export interface Stand extends DiscordTown {
  readonly grove: Grove;
}

/** As people write a mention of the bot. */
export const CALL: string = `<@${BOT_ID}>`;

/** A gateway whose agent plays the script, or says `heard:` and what it was told. */
export async function openStand({
  account = {},
  script,
}: {
  readonly account?: object;
  readonly script?: Script;
} = {}): Promise<Stand> {
  const town = await openDiscord(account);
  const agent = script === undefined ? createListener() : createScriptedAgent(script);
  const config = { ...agent.config, channels: town.channels };
  return { ...town, grove: await openGrove({ runtimes: agent.runtimes, config, env: town.env }) };
}

/** What the emulator's record says of calls, such as `POST /channels/:channel/messages × 2`. */
export async function countCalls({ discord }: Stand, route: string): Promise<string> {
  const calls = await discord.record({ route });
  return `\`${route}\` × ${calls.length}`;
}

export const POST_MESSAGE: string = "POST /channels/:channel/messages";

/** The only thread there is. */
export async function findThread({ guild }: Stand): Promise<DiscordThread> {
  const [thread, ...others] = await guild.threads();
  if (thread === undefined || others.length > 0) throw new Error(`looking for one thread: there are ${others.length}`);
  return thread;
}

/** `1 message`, `2 messages`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
