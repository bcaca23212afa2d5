import { type ChannelManifest, readPluginManifests } from "@banyan/core";
import { createDiscordEmulator } from "@banyan/emulator-discord";
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { expect, onTestFinished, test } from "vitest";
import { BUILT_IN_CHANNELS, OWN_FILE } from "../../src/gateway/built-in.ts";
import { askChannels, SetupCancelled } from "../../src/init/ask-setup.ts";
import { type Script, Typist } from "./typist.ts";

const TOKEN = "7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s";
const DISCORD_TOKEN = "NzAwMDAwMDAwMDAwMDAwMDAx.CANARY.oXfn7VdAxF0Wq9lPzT3s";
/** Enter, where Discord is asked for. */
const NO_DISCORD = [/Discord bot's token/, "\r"] as const;
const CTRL_C = "\u0003";

function listManifests(): readonly ChannelManifest[] {
  return readPluginManifests(
    BUILT_IN_CHANNELS.map((channel) => channel.package),
    OWN_FILE,
  );
}

/** Answers each question. */
async function ask(script: Script, env: Record<string, string> = {}) {
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  await telegram.addBot({ token: TOKEN, username: "grove_bot" });
  const discord = await createDiscordEmulator();
  onTestFinished(() => discord.close());
  await discord.addBot({ token: DISCORD_TOKEN, username: "grove", id: "700000000000000001" });
  const typist = new Typist(script);
  const { input, output, waiting } = typist;
  const plan = askChannels({
    manifests: listManifests(),
    env: { TELEGRAM_API_BASE_URL: telegram.url, DISCORD_API_URL: discord.url, ...env },
    isChecked: true,
    input,
    output,
  });
  return { plan: { channels: await plan }, screen: () => typist.screen, waiting };
}

test("asks for the token, checks it live, asks for the owner", async () => {
  const { plan, screen } = await ask([
    [/Telegram bot's token/, `${TOKEN}\r`],
    [/Your own id on Telegram/, "7550356539\r"],
    NO_DISCORD,
  ]);
  expect(plan.channels).toMatchObject([
    {
      channel: "telegram",
      variable: "TELEGRAM_BOT_TOKEN",
      token: TOKEN,
      owner: "7550356539",
      isFromEnvironment: false,
    },
  ]);
  expect(screen()).toMatch(/@grove_bot, privacy mode o/);
  expect(screen()).not.toContain("CANARY");
});

test("a refused token is said to be one and asked for again; Enter leaves the owner to a code", async () => {
  const { plan, screen } = await ask([
    [/Telegram bot's token/, "1:WRONG\r"],
    [/BotFather[\s\S]*Telegram bot's token/, `${TOKEN}\r`],
    [/Your own id on Telegram/, "\r"],
    NO_DISCORD,
  ]);
  expect(plan.channels).toHaveLength(1);
  expect(plan.channels[0]).not.toHaveProperty("owner");
  expect(screen()).toContain("@grove_bot");
});

test("a token of the environment is used and not asked for", async () => {
  const { plan } = await ask([[/Your own id on Telegram/, "\r"], NO_DISCORD], { TELEGRAM_BOT_TOKEN: TOKEN });
  expect(plan.channels).toMatchObject([{ isFromEnvironment: true }]);
});

test("Discord is asked about in the same way, and says how its bot is invited", async () => {
  const { plan, screen } = await ask([
    [/Telegram bot's token/, "\r"],
    [/Discord bot's token/, "NzAwMDAwMDAwMDAwMDAwMDAx.wrong.oXfn7VdAxF0Wq9lPzT3s\r"],
    [/developer portal[\s\S]*Discord bot's token/, `${DISCORD_TOKEN}\r`],
    [/Your own id on Discord/, "100000000000000001\r"],
  ]);
  const owner = "100000000000000001";
  expect(plan.channels).toMatchObject([
    { channel: "discord", variable: "DISCORD_BOT_TOKEN", token: DISCORD_TOKEN, owner },
  ]);
  expect(screen()).toMatch(
    /grove, the Message Content intent is on[\s\S]*127\.0\.0\.1:\d+\/oauth2\/authorize\?client_id=7/,
  );
  expect(screen()).not.toContain("CANARY");
});

test("Enter is neither of them, Ctrl-C is nothing at all", async () => {
  const { plan } = await ask([[/Telegram bot's token/, "\r"], NO_DISCORD]);
  expect(plan.channels).toEqual([]);
  await expect(ask([[/Telegram bot's token/, CTRL_C]])).rejects.toBeInstanceOf(SetupCancelled);
});
