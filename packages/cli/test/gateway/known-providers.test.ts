import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadGatewayConfig } from "../../src/gateway/load-gateway-config.ts";

it.each([
  [{ OPENAI_API_KEY: "key-4711" }, "ai", "openai/gpt-5-mini"],
  [{ ANTHROPIC_API_KEY: "key-4711" }, "ai", "anthropic/claude-sonnet-4-5"],
  [{ OPENAI_BASE_URL: "http://127.0.0.1:11434/v1" }, "ai", "openai"],
  [{ OPENAI_API_KEY: "key-4711", ANTHROPIC_API_KEY: "key-4712" }, "ai", "openai/gpt-5-mini"],
  [{}, "demo", undefined],
])("with %j alone the agent main is of the runtime %s and asks %s", async (env, runtime, usualModel) => {
  const cwd = mkdtempSync(join(tmpdir(), "banyan-providers-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const { config } = await loadGatewayConfig({ cwd, env, configFile: undefined });
  expect([config.agents.main?.runtime, config.usualModel]).toEqual([runtime, usualModel]);
});
