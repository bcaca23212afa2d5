import { createDiscordEmulator } from "@banyan/emulator-discord";
import { expect, onTestFinished, test } from "vitest";
import { openGateway } from "../../src/gateway/open-gateway.ts";
import { examine, writeConfig } from "../doctor/examination.ts";
import { makeFolder, stateDirOf } from "./banyan-process.ts";

const TOKEN = "NzAwMDAwMDAwMDAwMDAwMDAx.CANARY.oXfn7VdAxF0Wq9lPzT3s";
const BOT_ID = "700000000000000001";
const SUBJECT = "discord/default";

/** A server with #general, the bot in it; the configuration in a folder of its own names what it is given. */
async function openServer() {
  const discord = await createDiscordEmulator();
  onTestFinished(() => discord.close());
  const bot = await discord.addBot({ token: TOKEN, username: "grove", id: BOT_ID });
  const ada = await discord.user({ id: "100000000000000001", username: "ada" });
  const guild = await discord.createGuild({ name: "The Grove", members: [ada], bots: [bot] });
  const general = await guild.createChannel({ name: "general" });
  const folder = makeFolder();
  const env = { DISCORD_BOT_TOKEN: TOKEN, DISCORD_API_URL: discord.url };
  const look = async (groups: object = {}) => {
    writeConfig(folder, { channels: { discord: { accounts: { default: { groups } } } } });
    const { level, report, code } = await examine(folder, env);
    expect(JSON.stringify(report)).not.toContain("CANARY");
    return { code, findings: level(SUBJECT), level };
  };
  return { discord, guild, general, folder, env, look };
}

test("who the bot is, what it hears and how it is invited; commands that Discord does not have yet are a warning until a start", async () => {
  const { folder, env, look } = await openServer();
  const fresh = await look();
  expect([fresh.code, fresh.findings]).toMatchObject([
    0,
    [
      {
        level: "ok",
        text: expect.stringMatching(
          /^grove, .*gets every message, .*invite.*http:\/\/127\.0\.0\.1:\d+\/\S+client_id=7/,
        ),
      },
      {
        level: "warning",
        text: expect.stringMatching(/slash commands.*\/spawn/),
        cure: expect.stringMatching(/start/),
      },
    ],
  ]);
  expect(fresh.level("clock")).toMatchObject([{ level: "ok" }]);
  const open = await openGateway({
    cwd: folder,
    env: { ...env, BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0" },
    writeLog: () => undefined,
  });
  onTestFinished(() => open.gateway.stop());
  expect((await look()).findings).toMatchObject([
    { level: "ok", text: expect.stringMatching(/slash commands are registered/) },
  ]);
});

test("a token that Discord does not know is an error with its cure", async () => {
  const { discord, look } = await openServer();
  await discord.revokeBot();
  const { code, findings } = await look();
  expect(code).toBe(1);
  expect(findings).toMatchObject([{ level: "error", cure: expect.stringMatching(/eveloper portal/i) }]);
});

test("a clock that differs from Discord's is a warning", async () => {
  const { discord, look } = await openServer();
  await discord.passTime(150_000);
  const cure = "set it by NTP";
  expect((await look()).level("clock")).toMatchObject([
    { level: "warning", text: expect.stringMatching(/1[45]\d s behind/), cure },
  ]);
});

test("without the Message Content intent: a warning, and an error where the bot is to answer everything", async () => {
  const { discord, guild, look } = await openServer();
  await discord.setBot({ intents: { messageContent: false } });
  const cure = expect.stringMatching(/Developer Portal.*Message Content/);
  const text = expect.stringMatching(/^the Message Content intent is off/);
  const few = await look({ guilds: [guild.id] });
  expect(few.findings).toContainEqual({ subject: SUBJECT, level: "warning", text, cure });
  const all = await look({ guilds: [guild.id], requireMention: false });
  expect([all.code, all.findings]).toEqual([
    1,
    expect.arrayContaining([{ subject: SUBJECT, level: "error", text, cure }]),
  ]);
});

test("what the bot may not do in a channel that the configuration names is an error by the names of Discord's settings", async () => {
  const { general, look } = await openServer();
  const well = await look({ allow: [general.id] });
  expect(well.findings[0]?.text).toMatch(/#general: it may do all that it needs/);
  await general.setPermissions(BOT_ID, { deny: ["CreatePublicThreads", "SendMessagesInThreads"] });
  const poor = await look({ allow: [general.id] });
  expect([poor.code, poor.findings]).toMatchObject([
    1,
    expect.arrayContaining([
      expect.objectContaining({
        level: "error",
        text: "#general: the bot lacks Create Public Threads, Send Messages in Threads",
        cure: expect.stringMatching(/channel's settings.*http:\/\/127\.0\.0\.1/),
      }),
    ]),
  ]);
});

test("a server or a channel that the bot does not see is an error with the way in", async () => {
  const { look } = await openServer();
  const { code, findings } = await look({ guilds: ["100000000000000077"], allow: ["100000000000000078"] });
  expect(code).toBe(1);
  const cure = expect.stringMatching(/check the id, or invite the bot with http:\/\/127\.0\.0\.1/);
  expect(findings.filter(({ level }) => level === "error")).toEqual([
    { subject: SUBJECT, level: "error", text: "the bot does not see the server 100000000000000077", cure },
    { subject: SUBJECT, level: "error", text: "the bot does not see the channel 100000000000000078", cure },
  ]);
});
