/**
 * What is measured, as a process of its own: a bare grammY or discord.js echo bot, the same with its runner (with its own client, or
 * over our transport), or a gateway with the `echo` agent.
 */
import type { Bot } from "grammy";
import { enablePrivateCompileCache } from "../../packages/cli/src/compile-cache.js";

export type SubjectKind = "grammy" | "runner" | "runner on ctx.fetch" | "banyan" | "discord.js" | "banyan on discord";

export interface SubjectSpec {
  readonly kind: SubjectKind;
  readonly token: string;
  readonly apiBaseUrl: string;
  readonly folder: string;
}

enablePrivateCompileCache();
const spec: SubjectSpec = JSON.parse(process.argv[2] ?? "{}");
process.stdin.once("close", () => process.exit(0)).resume();
// The parent asks for the figures of this process at the beginning and the end of a measured stretch.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6, rssBytes: process.memoryUsage.rss() });
});

async function openBareBot(): Promise<Bot> {
  const { Bot } = await import("grammy");
  return new Bot(spec.token, { client: { apiRoot: spec.apiBaseUrl } });
}

/** The very client that the Telegram plugin makes. */
async function openBotOnTransport(): Promise<Bot> {
  const { createBotClient } = await import("../../plugins/telegram/src/bot-client.ts");
  const { createTransport } = await import("../../packages/core/src/http/transport.ts");
  const { fetch } = createTransport();
  return createBotClient({
    token: spec.token,
    apiBaseUrl: spec.apiBaseUrl,
    fetch,
    signal: new AbortController().signal,
  });
}

/** discord.js' own client, as its guide begins one. The pace of Discord's servers is not kept on an emulator. */
async function runDiscordEcho(): Promise<void> {
  const { Client, GatewayIntentBits, Partials } = await import("discord.js");
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages, GatewayIntentBits.MessageContent],
    // Without it nothing is heard of a direct chat.
    partials: [Partials.Channel],
    rest: { api: spec.apiBaseUrl, globalRequestsPerSecond: Number.POSITIVE_INFINITY },
  });
  client.on("messageCreate", (message) => {
    if (!message.author.bot && message.channel.isSendable()) void message.channel.send(message.content);
  });
  await client.login(spec.token);
}

async function runEcho(bot: Bot): Promise<void> {
  bot.on("message:text", (context) => context.reply(context.message.text));
  if (spec.kind === "grammy") return bot.start();
  const { run } = await import("@grammyjs/runner");
  await bot.init();
  return run(bot).task();
}

if (spec.kind === "banyan" || spec.kind === "banyan on discord") {
  const { openGateway } = await import("banyan");
  const [tokenName, addressName] =
    spec.kind === "banyan" ? ["TELEGRAM_BOT_TOKEN", "TELEGRAM_API_BASE_URL"] : ["DISCORD_BOT_TOKEN", "DISCORD_API_URL"];
  await openGateway({ cwd: spec.folder, env: { [tokenName]: spec.token, [addressName]: spec.apiBaseUrl } });
} else if (spec.kind === "discord.js") {
  await runDiscordEcho();
} else {
  await runEcho(await (spec.kind === "runner on ctx.fetch" ? openBotOnTransport() : openBareBot()));
}
