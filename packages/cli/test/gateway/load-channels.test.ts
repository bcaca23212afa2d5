import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadChannels } from "../../src/gateway/load-channels.ts";
import { loadGatewayConfig } from "../../src/gateway/load-gateway-config.ts";
import { makeFolder } from "../bin/banyan-process.ts";

const TOKEN = "123456:abcdefghijklmnopqrstuvwxyzABCDEFGHI";

async function load(config: object, env: Record<string, string> = {}) {
  const folder = makeFolder();
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
  const { channels, idle } = await loadChannels(await loadGatewayConfig({ cwd: folder, env }));
  return { on: channels.map(({ plugin }) => plugin.id), off: idle.map(({ channel }) => channel) };
}

test("the web chat is always on, a built-in channel with its token", async () => {
  expect(await load({})).toEqual({ on: ["webchat"], off: ["telegram", "discord"] });
  expect(await load({}, { TELEGRAM_BOT_TOKEN: TOKEN })).toEqual({ on: ["webchat", "telegram"], off: ["discord"] });
});

test.each(["telegram", "@banyan/channel-telegram"])("plugins may name a built-in channel as %s", async (name) => {
  const config = { plugins: [{ package: name, config: { token: TOKEN } }] };
  expect(await load(config)).toEqual({ on: ["webchat", "telegram"], off: ["discord"] });
});

test.each([
  ["telgram", "did you mean telegram?"],
  ["discrod", "did you mean discord?"],
  ["matrix", 'add its plugin to plugins, such as plugins: ["matrix"]'],
])("settings of %s, which nothing serves, are refused", async (channel, cure) => {
  const config = { channels: { [channel]: { accounts: { default: {} } } } };
  await expect(load(config)).rejects.toMatchObject({ code: "config_invalid", message: expect.stringContaining(cure) });
});
