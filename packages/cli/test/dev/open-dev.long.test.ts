import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDev } from "../../src/dev/open-dev.ts";
import { makeFolder, runBanyan, stateDirOf } from "../bin/banyan-process.ts";

/** Nobody listens there, should a real account ever be tried. */
const NOWHERE = "http://127.0.0.1:9";
const REAL_TOKEN = "7550001:CANARY_oXfn7VdAxF0Wq9lPzT3s";
const REAL_DISCORD_TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAx.CANARY.oXfn7VdAxF0Wq9lPzT3s";

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

test.each([
  {
    channel: "telegram",
    token: REAL_TOKEN,
    env: { TELEGRAM_BOT_TOKEN: REAL_TOKEN, TELEGRAM_API_BASE_URL: NOWHERE, TELEGRAM_ALLOW_FROM: "7" },
  },
  {
    channel: "discord",
    token: REAL_DISCORD_TOKEN,
    env: { DISCORD_BOT_TOKEN: REAL_DISCORD_TOKEN, DISCORD_API_URL: NOWHERE, DISCORD_ALLOW_FROM: "100000000000000009" },
  },
])(
  "of $channel only the emulated account is left, whatever real ones the file and the environment name",
  async ({ channel, token, env }) => {
    const folder = makeFolder();
    const real = { token, apiBaseUrl: NOWHERE, allowFrom: ["100000000000000009"] };
    const channels = { [channel]: { accounts: { default: real, shop: real } } };
    writeFileSync(join(folder, "banyan.config.json"), JSON.stringify({ channels }));
    const dev = await openDevIn(folder, env);
    const opened = dev.channels.filter(({ plugin }) => plugin.id === channel);
    expect(opened.flatMap(({ accounts }) => accounts.map(({ name }) => name))).toEqual(["default"]);
    // Known as a secret, so that nothing prints it, and used for nothing.
    const { secrets, ...used } = dev.loaded;
    expect(secrets.join()).toContain("CANARY");
    expect(JSON.stringify([opened.map(({ accounts }) => accounts), used])).not.toContain("CANARY");
    expect(dev.loaded.config.channels[channel]?.accounts.default?.settings.apiBaseUrl).toMatch(
      /^http:\/\/127\.0\.0\.1:/,
    );
    expect(JSON.stringify(dev.loaded.config.channels)).not.toContain(NOWHERE);
  },
);

test("a foreign agent that talks with known people alone may be rehearsed with as well", async () => {
  const folder = makeFolder();
  const agents = { main: { runtime: "acp", acp: { agent: "claude" } } };
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify({ agents }));
  expect((await openDevIn(folder)).channels.map(({ plugin }) => plugin.id)).toContain("telegram");
});

test("both platforms are there at once, and again after a restart on the same state, without a word", async () => {
  const folder = makeFolder();
  const warnings: string[] = [];
  const writeLog = (line: string) => void warnings.push(line);
  for (let life = 0; life < 2; life += 1) {
    const dev = await openDev({ cwd: folder, env: { BANYAN_PORT: "0", BANYAN_LOG_LEVEL: "warn" }, writeLog });
    const { accounts } = dev.gateway.health();
    const running = { state: "running" };
    expect(accounts).toMatchObject({ "telegram/default": running, "discord/default": running });
    await dev.stop();
  }
  expect(warnings).toEqual([]);
});

test("a configuration that is refused ends the command: no emulator keeps it alive", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify({ chanels: {} }));
  const { code, stderr } = await runBanyan(folder, ["dev"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("chanels")]);
});
