import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadGatewayConfig } from "../../packages/cli/src/gateway/load-gateway-config.ts";
import { REPOSITORY } from "../house/repository.ts";

test("the example of docs/configuration.md is a configuration that a gateway takes", async () => {
  const page = readFileSync(join(REPOSITORY, "docs/configuration.md"), "utf8");
  const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "banyan-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["docs", "guide", "node_modules"]) mkdirSync(join(folder, name));
  symlinkSync(join(REPOSITORY, "packages/cli"), join(folder, "node_modules/banyan"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "banyan.config.ts"), example);
  const { config } = await loadGatewayConfig({ cwd: folder, env: { TELEGRAM_TOKEN: "1:abc", HELP_TOKEN: "2:abc" } });
  expect(config).toMatchObject({ defaultAgent: "main", routes: [{ agent: "guide" }] });
  expect(config.agents.guide).toMatchObject({ instructions: "Answer briefly.", subagents: { maxSpawnDepth: 1 } });
});
