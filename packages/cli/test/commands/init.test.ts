import { existsSync } from "node:fs";
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
