import { createPublicKey, verify } from "node:crypto";
import { createServer } from "node:http";
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type ChatInputCommandInteraction,
  Client,
  GatewayIntentBits,
  MessageFlags,
  SlashCommandBuilder,
} from "discord.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createDiscordEmulator,
  createManualClock,
  type DiscordChat,
  type DiscordEmulator,
  type ManualClock,
} from "../src/index.ts";
import { GROVE } from "./grove.ts";
import { pick } from "./pick.ts";
import { createRestClient } from "./rest-client.ts";

const ASK = new SlashCommandBuilder()
  .setName("ask")
  .setDescription("Ask the grove")
  .addStringOption((option) => option.setName("question").setDescription("What to ask").setRequired(true));
const KILL = new SlashCommandBuilder()
  .setName("runs")
  .setDescription("What runs")
  .addSubcommand((sub) =>
    sub
      .setName("kill")
      .setDescription("End one")
      .addStringOption((option) => option.setName("target").setDescription("Which").setAutocomplete(true)),
  );

let emulator: DiscordEmulator;
let client: Client<true>;
let clock: ManualClock;
let ada: DiscordChat;

beforeEach(async () => {
  clock = createManualClock();
  emulator = await createDiscordEmulator({ clock });
  await emulator.addBot(GROVE);
  const person = await emulator.user({ id: "200", username: "ada" });
  const guild = await emulator.createGuild({ name: "Walk", members: [person], bots: [GROVE] });
  ada = person.in(await guild.createChannel({ name: "hall" }));
  const bot = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: emulator.url } });
  const ready = new Promise<Client<true>>((resolve) => bot.once("clientReady", resolve));
  await bot.login(GROVE.token);
  client = await ready;
  await client.application.commands.set([ASK, KILL]);
});
afterEach(async () => {
  await client.destroy();
  await emulator.close();
});

function onCommand(answer: (interaction: ChatInputCommandInteraction) => Promise<unknown>): void {
  client.on("interactionCreate", (interaction) => {
    if (interaction.isChatInputCommand()) void answer(interaction);
  });
}

describe("a command", () => {
  it("is answered in the channel", async () => {
    onCommand((interaction) => interaction.reply(`You asked: ${interaction.options.getString("question")}`));
    const asked = await ada.uses("ask", { question: "why?" });
    expect(await asked.acknowledged()).toMatchObject({ type: 4, isEphemeral: false, content: "You asked: why?" });
    const heard = await ada.hears("You asked: why?", { once: true });
    expect(heard.message).toMatchObject({ type: 20, interaction_metadata: { id: asked.id, user: { id: "200" } } });
  });

  it("is answered to its user alone, deferred, edited and followed up", async () => {
    onCommand(async (interaction) => {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await interaction.editReply("found it");
      await interaction.followUp({ content: "and more", flags: MessageFlags.Ephemeral });
    });
    const asked = await ada.uses("ask", { question: "where?" });
    expect(await asked.acknowledged()).toMatchObject({ type: 5, isEphemeral: true, content: "" });
    await asked.hears("found it");
    await asked.hears("and more");
    expect((await asked.messages()).map(({ text }) => text)).toEqual(["found it", "and more"]);
    expect(await ada.messages()).toEqual([]);
  });

  it("offers choices to half a word, in a subcommand", async () => {
    client.on("interactionCreate", (interaction) => {
      if (!interaction.isAutocomplete()) return;
      const typed = interaction.options.getFocused();
      void interaction.respond([{ name: `${interaction.options.getSubcommand()} ${typed}1`, value: "one" }]);
    });
    expect(await ada.completes("runs kill", "target", "oak")).toEqual([{ name: "kill oak1", value: "one" }]);
  });

  it("is refused after three seconds, and when it is answered twice (D37, D38)", async () => {
    const answers: unknown[] = [];
    onCommand(async (interaction) => {
      clock.advance(interaction.options.getString("question") === "late" ? 3001 : 0);
      for (let time = 0; time < 2; time += 1) {
        const route = `/interactions/${interaction.id}/${interaction.token}/callback`;
        const api = createRestClient(emulator.url);
        answers.push(pick((await api("POST", route, { type: 4, data: { content: "hm" } })).body, "code"));
      }
      answers.push("over");
      client.emit("debug", "over");
    });
    for (const question of ["late", "early"]) {
      const over = new Promise((resolve) => client.once("debug", resolve));
      await ada.uses("ask", { question });
      await over;
    }
    expect(answers).toEqual([10062, 10062, "over", undefined, 40060, "over"]);
  });

  it("has a token that is good for fifteen minutes (D37)", async () => {
    const tokens: string[] = [];
    onCommand(async (interaction) => {
      tokens.push(interaction.token);
      await interaction.reply("at once");
    });
    await (await ada.uses("ask", { question: "x" })).acknowledged();
    const api = createRestClient(emulator.url);
    const followUp = (): ReturnType<typeof api> =>
      api("POST", `/webhooks/${GROVE.id}/${tokens[0]}`, { content: "later" });
    expect((await followUp()).status).toBe(200);
    clock.advance(15 * 60_000 + 1);
    expect(await followUp()).toMatchObject({ status: 401, body: { code: 50027 } });
  });

  it("that a person cannot send is a mistake of the test", async () => {
    await expect(ada.uses("nope")).rejects.toMatchObject({ code: "unknown_command" });
    await expect(ada.uses("ask", {})).rejects.toThrow('option "question" is required');
    await expect(ada.uses("ask", { question: 1 })).rejects.toThrow("takes a string");
    await expect(ada.uses("runs", {})).rejects.toThrow("a subcommand must be chosen");
    const unheard = await ada.uses("ask", { question: "?" });
    await expect(unheard.acknowledged({ timeoutMs: 0 })).rejects.toMatchObject({ code: "not_acknowledged" });
  });
});

describe("a button", () => {
  it("changes its message, and takes no answer twice", async () => {
    const button = new ButtonBuilder().setCustomId("kill:7").setLabel("Kill").setStyle(ButtonStyle.Danger);
    onCommand((interaction) =>
      interaction.reply({
        content: "run 7",
        components: [new ActionRowBuilder<ButtonBuilder>().addComponents(button)],
      }),
    );
    client.on("interactionCreate", (interaction) => {
      if (interaction.isButton()) void interaction.update({ content: `${interaction.customId} done`, components: [] });
    });
    await ada.uses("ask", { question: "run" });
    const { messageId } = await ada.hears("run 7");
    await expect(ada.presses(messageId, "other")).rejects.toThrow("kill:7");
    const pressed = await ada.presses(messageId, "kill:7");
    expect((await pressed.acknowledged()).type).toBe(7);
    expect(await ada.hears("kill:7 done")).toMatchObject({ messageId, isEdit: true });
  });
});

describe("interactions over HTTP", () => {
  it("are signed with the application's key, and answered by the response", async () => {
    const { publicKey } = await emulator.bot();
    const key = createPublicKey({
      key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), Buffer.from(publicKey, "hex")]),
      format: "der",
      type: "spki",
    });
    const endpoint = createServer((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (chunk: string) => {
        body += chunk;
      });
      request.on("end", () => {
        const signed = Buffer.from(String(request.headers["x-signature-timestamp"]) + body);
        const signature = Buffer.from(String(request.headers["x-signature-ed25519"]), "hex");
        const isGenuine = verify(null, signed, key, signature);
        response.writeHead(isGenuine ? 200 : 401, { "content-type": "application/json" });
        const question = pick(JSON.parse(body), "data", "options", 0, "value");
        const isPing = pick(JSON.parse(body), "type") === 1;
        const answer = { type: 4, data: { content: `HTTP heard ${String(question)}` } };
        response.end(JSON.stringify(isPing ? { type: 1 } : answer));
      });
    });
    await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
    const address = endpoint.address();
    await emulator.setBot({ interactionsUrl: `http://127.0.0.1:${String(pick(address, "port"))}/` });
    expect(await (await ada.uses("ask", { question: "you" })).acknowledged()).toMatchObject({
      content: "HTTP heard you",
    });
    await ada.hears("HTTP heard you", { once: true });
    endpoint.close();
  });
});
