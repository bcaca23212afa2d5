import { Client, GatewayIntentBits, Partials } from "discord.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscordEmulator, type DiscordEmulator } from "../src/index.ts";
import { GROVE } from "./grove.ts";

let emulator: DiscordEmulator;
let client: Client<true>;

async function connectClient(): Promise<Client<true>> {
  const { Guilds, GuildMessages, DirectMessages, MessageContent } = GatewayIntentBits;
  const bot = new Client({
    intents: [Guilds, GuildMessages, DirectMessages, MessageContent],
    partials: [Partials.Channel],
    rest: { api: emulator.url },
  });
  const ready = new Promise<Client<true>>((resolve) => bot.once("clientReady", resolve));
  await bot.login(GROVE.token);
  return ready;
}

beforeEach(async () => {
  emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
});
afterEach(async () => {
  await client.destroy();
  await emulator.close();
});

describe("a discord.js bot", () => {
  it("answers a person in private", async () => {
    client = await connectClient();
    client.on("messageCreate", (message) => {
      if (!message.author.bot) void message.reply(`echo: ${message.content}`);
    });
    const ada = await emulator.user({ id: "200000000000000001", username: "ada" });
    await ada.dm().says("hello");
    const heard = await ada.dm().hears("echo: hello", { once: true });
    expect(heard.message.referenced_message?.content).toBe("hello");
    expect(client.user.username).toBe("grove");
  });

  it("answers in a channel of its guild, opens a thread there and talks in it", async () => {
    const ada = await emulator.user({ id: "200000000000000001", username: "ada" });
    const bot = await emulator.bot();
    const guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [bot] });
    const hall = await guild.createChannel({ name: "hall" });
    client = await connectClient();
    client.on("messageCreate", (message) => {
      if (message.author.bot || message.system || message.channel.isThread()) return;
      void message.startThread({ name: "a walk" }).then((thread) => thread.send(`about ${message.cleanContent}`));
    });
    await ada.in(hall).says(`<@${bot.id}> trees`);
    await emulator.called("POST /channels/:channel/messages", 1);
    const [thread] = await guild.threads();
    if (thread === undefined) throw new Error("no thread was opened");
    await ada.in(thread).hears("about @grove trees", { once: true });
    expect(thread.name).toBe("a walk");
    expect((await thread.messages()).map(({ text }) => text)).toEqual(["about @grove trees"]);
  });
});
