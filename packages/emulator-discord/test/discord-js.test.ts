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

  it("comes back after a torn connection, and after a request to reconnect, and misses nothing", async () => {
    const ada = await emulator.user({ id: "200000000000000001", username: "ada" });
    client = await connectClient();
    client.on("messageCreate", (message) => {
      if (!message.author.bot) void message.channel.send(`heard ${message.content}`);
    });
    await ada.dm().says("zero");
    await ada.dm().hears("heard zero");
    await emulator.gateway.drop();
    await ada.dm().says("one");
    await ada.dm().hears("heard one", { once: true });
    await emulator.gateway.reconnect();
    await ada.dm().says("two");
    await ada.dm().hears("heard two", { once: true });
    const { sessions } = await emulator.bot();
    expect(sessions).toHaveLength(1);
  });

  it("notices a connection that is silent, and resumes (D48)", async () => {
    await emulator.close();
    emulator = await createDiscordEmulator({ heartbeatIntervalMs: 100 });
    await emulator.addBot(GROVE);
    client = await connectClient();
    const resumed = new Promise((resolve) => client.once("shardResume", resolve));
    await emulator.gateway.silenceHeartbeats();
    await emulator.gateway.disconnected();
    await emulator.gateway.silenceHeartbeats(false);
    await resumed;
    await emulator.gateway.connected();
  });

  it("waits where it is told to, and sends then (D9)", async () => {
    const ada = await emulator.user({ id: "200000000000000001", username: "ada" });
    client = await connectClient();
    const send = "POST /channels/:channel/messages";
    const limited = await emulator.faults.add({ route: send, kind: "rate-limit", retryAfterMs: 50 });
    const person = await client.users.fetch(ada.id);
    await person.send("at last");
    await limited.met();
    await ada.dm().hears("at last", { once: true });
    expect((await emulator.record({ route: send })).map(({ answer }) => answer?.status)).toEqual([429, 200]);
  });

  it("uploads a file, edits, reacts and reads back", async () => {
    const ada = await emulator.user({ id: "200000000000000001", username: "ada" });
    client = await connectClient();
    const person = await client.users.fetch(ada.id);
    const sent = await person.send({ content: "look", files: [{ attachment: Buffer.from("leaf"), name: "leaf.txt" }] });
    expect(sent.attachments.map(({ name, size }) => [name, size])).toEqual([["leaf.txt", 4]]);
    await sent.edit("look again");
    await sent.react("🌳");
    const [read] = [...(await sent.channel.messages.fetch({ limit: 1 })).values()];
    expect(read?.content).toBe("look again");
    expect(read?.reactions.cache.map(({ emoji, count, me }) => [emoji.name, count, me])).toEqual([["🌳", 1, true]]);
    expect((await ada.dm().hears("look again")).message.attachments).toHaveLength(1);
  });
});
