import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openGateway } from "banyan";
import { expect, onTestFinished, test } from "vitest";
import { openDiscord } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

function readPage(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}

/** `docs/ has 8,319 words; the longest is docs/performance.md` → `docs/ has # words; the longest is docs/#`. */
function formatShape(text: string): string {
  return text.replaceAll(/\b\d[\d,]*\b/g, "#").replaceAll(/\bdocs\/[\w-]+\.md\b/g, "docs/#");
}

test("the README's configuration is one that works", async () => {
  const [, config = ""] = /```ts\n(import \{ defineConfig[\s\S]*?)```/.exec(readPage("README.md")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "banyan-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "docs"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(REPOSITORY, "packages/cli"), join(folder, "node_modules/banyan"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "banyan.config.ts"), config);
  const env = {
    GROVE_TOKEN: "1:abc",
    BANYAN_PORT: "0",
    TELEGRAM_API_BASE_URL: "http://127.0.0.1:9",
    BANYAN_LOG_LEVEL: "silent",
  };
  const { gateway, loaded } = await openGateway({ cwd: folder, env });
  onTestFinished(() => gateway.stop());
  expect(loaded.config.agents.main?.workspace).toBe(join(folder, "docs"));
  expect(Object.keys(gateway.health().accounts)).toEqual(["webchat/default", "telegram/default"]);
});

test("what the README says that docs/ has is what the built-in agent counts", async () => {
  const { web } = await openGrove({ config: { agents: { main: { runtime: "demo", workspace: REPOSITORY } } } });
  const ada = web("ada");
  await ada.says("count words in docs");
  const { text } = await ada.hears(/^docs\/ has .* words in/);
  // The numbers in the README are from the day when it was written.
  const page = formatShape(readPage("README.md"));
  expect(text.split("\n").filter((line) => !page.includes(formatShape(line)))).toEqual([]);
});

test("docs/discord.md names each variable and each setting of an account, and its configuration works", async () => {
  const page = readPage("docs/discord.md");
  const named = new Set([...page.matchAll(/`([A-Za-z_]+)`/g)].map(([, name]) => name));
  const manifest: { banyan: { env: object } } = JSON.parse(readPage("plugins/discord/package.json"));
  const settings =
    /interface DiscordConfig \{([\s\S]*?)\n\}/.exec(readPage("plugins/discord/src/discord-config.ts"))?.[1] ?? "";
  const keys = [...settings.matchAll(/readonly (\w+):/g)].map(([, key]) => key);
  expect(keys).toContain("threadType");
  const own = ["enabled", "dmPolicy", "allowFrom", "groups", "catchUpHours", "threads"];
  expect([...Object.keys(manifest.banyan.env), ...keys, ...own].filter((name) => !named.has(name))).toEqual([]);
  const [, config = "{}"] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { env } = await openDiscord();
  const { open } = await openGrove({ config: JSON.parse(config), env });
  expect(open.gateway.health().accounts["discord/default"]).toEqual({ state: "running" });
});
