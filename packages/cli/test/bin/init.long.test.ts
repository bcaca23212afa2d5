import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDiscordEmulator } from "@banyan/emulator-discord";
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, runBanyan } from "./banyan-process.ts";

const TOKEN = "7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s";
const DISCORD_TOKEN = "NzAwMDAwMDAwMDAwMDAwMDAx.CANARY.oXfn7VdAxF0Wq9lPzT3s";

async function openTelegram() {
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  // Something waits, so whoever listens for another poller is answered at once.
  await (await telegram.user({ id: 7550356539, firstName: "Ada" })).says("are you there?");
  return telegram;
}

test("with flags: the token is checked live and kept in .env alone, and doctor is content with what was written", async () => {
  const folder = makeFolder();
  const telegram = await openTelegram();
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".env"), "OTHER=1\nTELEGRAM_BOT_TOKEN=old\n", { mode: 0o644 });
  const env = { TELEGRAM_API_BASE_URL: telegram.url };
  const args = ["init", "--telegram-token", TOKEN, "--telegram-owner", "7550356539"];
  const { code, stdout } = await runBanyan(folder, args, { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/Telegram: @grove_bot, privacy mode.*\n {2}Written: /)]);
  const config = readFileSync(join(folder, "banyan.config.json"), "utf8");
  expect(JSON.parse(config)).toMatchObject({
    channels: { telegram: { accounts: { default: { token: "env:TELEGRAM_BOT_TOKEN", allowFrom: ["7550356539"] } } } },
  });
  expect(readFileSync(join(folder, ".env"), "utf8")).toBe(`OTHER=1\nTELEGRAM_BOT_TOKEN=${TOKEN}\n`);
  expect(statSync(join(folder, ".env")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(".env\n");
  expect(readFileSync(join(folder, "state", ".gitignore"), "utf8")).toBe("*\n");
  const doctor = await runBanyan(folder, ["doctor", "--json"], { env });
  expect(doctor.code).toBe(0);
  expect(JSON.parse(doctor.stdout).findings).toContainEqual(
    expect.objectContaining({ subject: "telegram/default", level: "ok", text: expect.stringContaining("@grove_bot") }),
  );
  expect(`${config}${stdout}${doctor.stdout}`).not.toContain("CANARY");
});

test("with a Discord token: who the bot is, what it hears and how it is invited, each on a line; its id is the owner's", async () => {
  const folder = makeFolder();
  const discord = await createDiscordEmulator();
  onTestFinished(() => discord.close());
  await discord.addBot({ token: DISCORD_TOKEN, username: "grove", id: "700000000000000001" });
  const env = { DISCORD_API_URL: discord.url };
  const given = ["init", "--discord-token", DISCORD_TOKEN, "--discord-owner"];
  expect(await runBanyan(folder, [...given, "ada"], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('got "ada"'),
  });
  const { code, stdout } = await runBanyan(folder, [...given, "100000000000000001"], { env });
  expect([code, stdout.split("\n")]).toEqual([
    0,
    [
      "  Discord: grove, the Message Content intent is on: it gets every message",
      expect.stringMatching(
        /^ {2}Discord: invite it to a server with http:\/\/127\.0\.0\.1:\d+\/oauth2\/authorize\?client_id=7/,
      ),
      "  Written: banyan.config.json, .env, workspace",
      "  The agent works in workspace",
      "  Next: banyan start",
      "",
    ],
  ]);
  const config = readFileSync(join(folder, "banyan.config.json"), "utf8");
  expect(JSON.parse(config)).toMatchObject({
    channels: {
      discord: { accounts: { default: { token: "env:DISCORD_BOT_TOKEN", allowFrom: ["100000000000000001"] } } },
    },
  });
  expect(readFileSync(join(folder, ".env"), "utf8")).toBe(`DISCORD_BOT_TOKEN=${DISCORD_TOKEN}\n`);
  expect((await runBanyan(folder, ["doctor"], { env })).code).toBe(0);
});

test("without a network it says so, and how to go on without asking; below a repository's root it keeps .env out, too", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "bot"));
  const env = { TELEGRAM_API_BASE_URL: "http://127.0.0.1:9" };
  const args = ["init", "--config", "bot/banyan.config.json", "--telegram-token", TOKEN];
  const offline = await runBanyan(folder, args, { env });
  expect([offline.code, offline.stderr]).toEqual([1, expect.stringMatching(/check the network.*; --no-check writes/)]);
  expect((await runBanyan(folder, [...args, "--no-check"], { env })).code).toBe(0);
  expect(readFileSync(join(folder, "bot", ".gitignore"), "utf8")).toContain(".env");
});

test("a refused token writes nothing", async () => {
  const folder = makeFolder();
  const telegram = await openTelegram();
  const env = { TELEGRAM_API_BASE_URL: telegram.url };
  const refused = await runBanyan(folder, ["init", "--telegram-token", "1:WRONG"], { env });
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/@BotFather/) });
  expect(refused.stderr).not.toContain("WRONG");
  expect(statSync(join(folder, "banyan.config.json"), { throwIfNoEntry: false })).toBeUndefined();
});

test("never writes over a configuration unasked, and says what to do without a terminal", async () => {
  const folder = makeFolder();
  expect(await runBanyan(folder, ["init"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
  expect((await runBanyan(folder, ["init", "--yes"])).code).toBe(0);
  const again = await runBanyan(folder, ["init", "--yes"]);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("--force changes it") });
  expect((await runBanyan(folder, ["init", "--yes", "--force", "--json"])).stdout).toMatch(/^\{\n {2}"files"/);
  const owner = await runBanyan(folder, ["init", "--force", "--telegram-owner", "7550356539"]);
  expect(owner).toMatchObject({ code: 2, stderr: expect.stringContaining("--telegram-token") });
});

test.each([
  ["@ada", 'got "@ada"'],
  [TOKEN, `got a string of ${TOKEN.length} characters`],
])("an owner who is no id is told another way in: %s", async (owner, received) => {
  const args = ["init", "--no-check", "--telegram-token", TOKEN, "--telegram-owner", owner];
  const { code, stderr } = await runBanyan(makeFolder(), args);
  expect(code).toBe(2);
  expect(stderr).toContain(
    `--telegram-owner takes the platform's id (${received}); omit it, write to the bot, and banyan pair approve CODE lets you in`,
  );
  expect(stderr).not.toContain(TOKEN);
});
