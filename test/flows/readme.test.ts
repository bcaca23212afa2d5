import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openGateway } from "banyan";
import { expect, onTestFinished, test } from "vitest";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

test("the README's configuration is one that works", async () => {
  const [, config = ""] =
    /```ts\n(import \{ defineConfig[\s\S]*?)```/.exec(readFileSync(join(REPOSITORY, "README.md"), "utf8")) ?? [];
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
