import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDev } from "../../src/dev/open-dev.ts";
import { makeFolder, stateDirOf } from "../bin/banyan-process.ts";

/** Nobody listens there, should a real account ever be tried. */
const NOWHERE = "http://127.0.0.1:9";
const REAL_TOKEN = "7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s";

async function openDevIn(folder: string, env: Readonly<Record<string, string>> = {}) {
  const dev = await openDev({ cwd: folder, env: { BANYAN_PORT: "0", ...env }, writeLog: () => undefined });
  onTestFinished(() => dev.stop());
  return dev;
}

test.each([
  ["named by the environment", (folder: string) => ({ BANYAN_STATE_DIR: stateDirOf(folder) }), "state"],
  ["the usual one", () => ({}), ".banyan"],
])("the state is kept in a folder of its own below the real one: %s", async (_name, listEnv, real) => {
  const folder = makeFolder();
  const { loaded } = await openDevIn(folder, listEnv(folder));
  expect(loaded.config.stateDir).toBe(join(folder, real, "dev"));
  expect(existsSync(join(folder, real, "dev", "banyan.db"))).toBe(true);
  expect(existsSync(join(folder, real, "banyan.db"))).toBe(false);
});

test("of Telegram only the emulated account is left, whatever real ones the file and the environment name", async () => {
  const folder = makeFolder();
  const real = { token: REAL_TOKEN, apiBaseUrl: NOWHERE, allowFrom: ["7"] };
  const channels = { telegram: { accounts: { default: real, shop: real } } };
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify({ channels }));
  const dev = await openDevIn(folder, { TELEGRAM_BOT_TOKEN: REAL_TOKEN, TELEGRAM_API_BASE_URL: NOWHERE });
  const telegram = dev.channels.filter(({ plugin }) => plugin.id === "telegram");
  expect(telegram.flatMap(({ accounts }) => accounts.map(({ name }) => name))).toEqual(["default"]);
  expect(JSON.stringify([telegram.map(({ accounts }) => accounts), dev.loaded])).not.toContain(REAL_TOKEN);
  expect(dev.loaded.config.channels.telegram?.accounts.default?.settings.apiBaseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(JSON.stringify(dev.loaded.config.channels)).not.toContain(NOWHERE);
});
