import { expect, test } from "vitest";
import { buildSetupConfig, type ChannelSetup, type SetupPlan } from "../../src/init/setup-plan.ts";

const TELEGRAM: ChannelSetup = {
  channel: "telegram",
  variable: "TELEGRAM_BOT_TOKEN",
  key: "token",
  token: "1:a",
  isFromEnvironment: false,
};
const MODEL: SetupPlan["model"] = {
  provider: "openai",
  model: "openai/small",
  variables: [
    { variable: "OPENAI_BASE_URL", key: "baseUrl", value: "http://127.0.0.1:1/v1", isFromEnvironment: false },
  ],
};

test("a new file has the channels that were asked for, and the built-in program", () => {
  expect(buildSetupConfig({ channels: [{ ...TELEGRAM, owner: "7" }] }, "./s.json")).toEqual({
    $schema: "./s.json",
    agents: { main: { runtime: "demo", workspace: "./workspace" } },
    channels: { telegram: { accounts: { default: { token: "env:TELEGRAM_BOT_TOKEN", allowFrom: ["7"] } } } },
  });
});

test("in an existing file its own keys are changed in place, and all others stay in their order", () => {
  const before = {
    routes: [{ agent: "oak" }],
    channels: {
      discord: { accounts: { default: { token: "env:D" } } },
      telegram: {
        accounts: { second: { token: "env:B" }, default: { dmPolicy: "open", token: "old", allowFrom: [8] } },
      },
    },
    agents: { oak: { model: "x/y" }, main: { runtime: "demo", workspace: "./w" } },
    server: { port: 1 },
  };
  const after = buildSetupConfig({ channels: [{ ...TELEGRAM, owner: "7" }] }, "./s.json", before);
  const account = { dmPolicy: "open", token: "env:TELEGRAM_BOT_TOKEN", allowFrom: [8, "7"] };
  expect(JSON.stringify(after)).toBe(
    JSON.stringify({
      $schema: "./s.json",
      ...before,
      channels: { ...before.channels, telegram: { accounts: { second: { token: "env:B" }, default: account } } },
    }),
  );
  expect(buildSetupConfig({ channels: [{ ...TELEGRAM, owner: "8" }] }, "./s.json", after)).toEqual(after);
  expect(buildSetupConfig({ channels: [] }, "./s.json", before)).toEqual({ $schema: "./s.json", ...before });
});

test("a model replaces the built-in program and the provider's address and key, which never go to another server", () => {
  const before = {
    providers: { openai: { kind: "openai", apiKey: "env:OPENAI_API_KEY" }, other: {} },
    agents: { defaults: { sandbox: "strict" }, main: { runtime: "demo", workspace: "./w" } },
  };
  expect(buildSetupConfig({ channels: [], model: MODEL }, "./s.json", before)).toEqual({
    $schema: "./s.json",
    providers: { openai: { kind: "openai", baseUrl: "env:OPENAI_BASE_URL" }, other: {} },
    agents: { defaults: { sandbox: "strict" }, main: { workspace: "./w", model: "openai/small" } },
  });
});
