/** Commands of the documents that begin something, run as they are written. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createModelEmulator } from "@banyan/emulator-model";
import { expect, onTestFinished, test } from "vitest";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { DISCORD_TOKEN, openDiscord } from "../stage/discord-town.ts";
import { openShell } from "../stage/document-shell.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const READY = /^ {2}Ready in/m;

/** A shell on a machine whose Telegram, Discord and model server are emulators, without any token. */
async function openMachine() {
  const [{ telegram }, { env }] = [await openTelegram([]), await openDiscord()];
  const model = await createModelEmulator({ models: ["small"] });
  onTestFinished(() => model.close());
  const { DISCORD_API_URL = "" } = env;
  const addresses = { TELEGRAM_API_BASE_URL: telegram.url, DISCORD_API_URL };
  return { telegram, model, addresses, shell: openShell(addresses) };
}

test("a configuration is written for each kind of flag", async () => {
  const { shell, telegram, model, addresses } = await openMachine();
  await (await telegram.user({ id: 7_550_356_539, firstName: "Ada" })).says("are you there?");
  await shell.runs("banyan init --yes");
  expect(existsSync(join(shell.folder, "banyan.config.json"))).toBe(true);
  const telegrams = openShell(addresses);
  await telegrams.runs("banyan init --telegram-token 123:ABC --telegram-owner 7550356539", { "123:ABC": BOT_TOKEN });
  expect(readFileSync(join(telegrams.folder, ".env"), "utf8")).toContain(BOT_TOKEN);
  const discords = openShell(addresses);
  await discords.runs("banyan init --discord-token MTA3….Gh1x2y.abc…", { "MTA3….Gh1x2y.abc…": DISCORD_TOKEN });
  expect(readFileSync(join(discords.folder, ".env"), "utf8")).toContain(DISCORD_TOKEN);
  const models = openShell(addresses);
  await models.runs("banyan init --model-url http://127.0.0.1:11434/v1", { "http://127.0.0.1:11434/v1": model.url });
  expect(readFileSync(join(models.folder, "banyan.config.json"), "utf8")).toContain("small");
});

test("a gateway starts with each of the tokens, and in each of the ways", async () => {
  const { shell, model, addresses } = await openMachine();
  writeFileSync(join(shell.folder, "grove.config.ts"), "export default {};\n");
  const token = { "123:ABC": BOT_TOKEN, "TELEGRAM_BOT_TOKEN=…": `TELEGRAM_BOT_TOKEN=${BOT_TOKEN}` };
  await shell.runsUntil(READY, "banyan start");
  await shell.runsUntil(READY, "npx -y pnpm@12 start");
  await shell.runsUntil(READY, "BANYAN_PORT=9000 banyan start --config grove.config.ts", { 9000: "0" });
  expect(await shell.runsUntil(READY, "TELEGRAM_BOT_TOKEN=… banyan start", token)).toContain("@grove_bot");
  expect(await shell.runsUntil(READY, "TELEGRAM_BOT_TOKEN=123:ABC npx -y pnpm@12 start", token)).toContain(
    "@grove_bot",
  );
  const discord = { "DISCORD_BOT_TOKEN=…": `DISCORD_BOT_TOKEN=${DISCORD_TOKEN}` };
  expect(await shell.runsUntil(READY, "DISCORD_BOT_TOKEN=… banyan start", discord)).toMatch(/● discord/);
  const models = openShell({ ...addresses, OPENAI_BASE_URL: model.url });
  expect(await models.runsUntil(READY, "OPENAI_API_KEY=sk-… npx -y pnpm@12 start", { "sk-…": "sk-grove" })).toContain(
    "openai",
  );
  await models.runsUntil(READY, "TELEGRAM_BOT_TOKEN=123:ABC OPENAI_API_KEY=sk-… npx -y pnpm@12 start", {
    ...token,
    "sk-…": "sk-grove",
  });
});

test("the log says what went wrong", async () => {
  const { shell } = await openMachine();
  const refused = { "TELEGRAM_BOT_TOKEN=…": "TELEGRAM_BOT_TOKEN=1:of-no-bot-anywhere" };
  await shell.runsUntil(READY, "TELEGRAM_BOT_TOKEN=… banyan start", refused);
  expect(await shell.runs("banyan logs --level warn")).toContain("an account does not connect");
  await shell.runsUntil(/an account does not connect/, "banyan logs -f --grep telegram/default");
});

test("the emulated platforms open, also from a clone", async () => {
  const { shell } = await openMachine();
  await shell.runsUntil(READY, "banyan dev");
  await shell.runsUntil(READY, "npx -y pnpm@12 banyan dev");
});

test("a conversation in a terminal needs no gateway that runs", async () => {
  const { shell } = await openMachine();
  writeFileSync(join(shell.folder, "questions.txt"), "calc 2+3\ncalc 6*7\n");
  expect(await shell.runs("banyan chat < questions.txt")).toMatch(/2\+3 = 5[\s\S]*6\*7 = 42/);
  expect(await shell.runs('banyan chat "count words in docs"')).toContain("12 words in 3 files");
  expect(await shell.runs('npx -y pnpm@12 banyan chat "count words in docs"')).toContain("12 words in 3 files");
});

test("the commands complete themselves", async () => {
  const { shell } = await openMachine();
  mkdirSync(join(shell.folder, ".config/fish/completions"), { recursive: true });
  await shell.runs('eval "$(banyan completion bash)"');
  await shell.runs("banyan completion fish > ~/.config/fish/completions/banyan.fish");
  expect(readFileSync(join(shell.folder, ".config/fish/completions/banyan.fish"), "utf8")).toContain("banyan");
});
