import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { expect, onTestFinished, test, vi } from "vitest";
import { init } from "../../src/commands/init.ts";
import { makeFolder } from "../bin/banyan-process.ts";

test("a token that its platform refuses is an end with a code, a cause and a way on", async () => {
  const telegram = await createTelegramEmulator();
  onTestFinished(() => telegram.close());
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TELEGRAM_API_BASE_URL", telegram.url);
  const config = join(makeFolder(), "banyan.config.json");
  await expect(init({ config, check: true, yes: true, telegramToken: "1:WRONG" })).rejects.toMatchObject({
    code: "account_unchecked",
    message: expect.stringMatching(/^setting up: --telegram-token was not taken: .*; --no-check writes/),
    cause: { class: "unauthorized" },
  });
  expect(existsSync(config)).toBe(false);
});

test("--force keeps the other keys, and a copy of each old file", async () => {
  const config = join(makeFolder(), "banyan.config.json");
  const old = '{ "server": { "port": 18911 },\n  "agents": { "oak": { "runtime": "echo" } } }\n';
  writeFileSync(config, old);
  const given = { config, check: false, yes: true, json: true, telegramToken: "1:a" };
  await expect(init(given)).rejects.toThrow(/--force changes it, and keeps the other keys and a copy/);
  await init({ ...given, force: true });
  expect(readFileSync(`${config}.bak`, "utf8")).toBe(old);
  const changed = readFileSync(config, "utf8");
  expect(JSON.parse(changed)).toMatchObject({
    server: { port: 18911 },
    agents: { oak: { runtime: "echo" } },
    channels: { telegram: { accounts: { default: { token: "env:TELEGRAM_BOT_TOKEN" } } } },
  });
  await init({ ...given, force: true });
  expect([readFileSync(`${config}.bak`, "utf8"), readFileSync(`${config}.bak2`, "utf8")]).toEqual([old, changed]);
});

test.each([
  ["{", /Invalid JSON at line 1, column 2/],
  ["[]", /is not a configuration \(got a list\)/],
])("--force changes no file that it cannot read: %s", async (text, problem) => {
  const config = join(makeFolder(), "banyan.config.json");
  writeFileSync(config, text);
  await expect(init({ config, check: false, yes: true, force: true })).rejects.toThrow(problem);
  expect([readFileSync(config, "utf8"), existsSync(`${config}.bak`)]).toEqual([text, false]);
});
