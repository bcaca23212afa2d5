import { inspect } from "node:util";
import { expect, it } from "vitest";
import { describeConfig } from "../../../src/config/describe-config.ts";
import { listSecretVariables } from "../../../src/config/sources/secret-variable.ts";
import { readWritten } from "../written-config.ts";

const TOKEN = "123456:AAHsecretsecretsecretsecretsecret";

/** Everything that somebody could print of what reading throws. */
function printFailure(input: unknown, env: Readonly<Record<string, string>> = {}): string {
  try {
    readWritten(input, { env });
    return "";
  } catch (error) {
    return inspect(error, { depth: 10 });
  }
}

it.each<[where: string, input: unknown]>([
  ["as the token of a mistyped channel section", { chanels: { ferry: { token: TOKEN } } }],
  ["a level too high", { channels: { ferry: { token: TOKEN } } }],
  ["instead of an account", { channels: { ferry: { accounts: { default: TOKEN } } } }],
  ["instead of a channel", { channels: { ferry: "hunter2" } }],
  ["as a key", { [TOKEN]: true }],
  ["as an account's name", { channels: { ferry: { accounts: { [`${TOKEN}/and/more`]: { dmPolicy: "x" } } } } }],
  ["as an account's name and nothing else", { channels: { ferry: { accounts: { [TOKEN]: {} } } } }],
  ["as an agent's name", { agents: { [TOKEN]: {}, main: {} } }],
  ["as an agent's name beside a route", { agents: { [TOKEN]: {} }, routes: [{ agent: "x", match: { channel: "y" } }] }],
  ["in the allow-list", { channels: { ferry: { accounts: { default: { allowFrom: [TOKEN] } } } } }],
  ["as a policy", { channels: { ferry: { accounts: { default: { dmPolicy: TOKEN } } } } }],
  ["as the runtime", { agents: { main: { runtime: TOKEN } } }],
  ["as a plugin, twice", { plugins: [TOKEN, TOKEN] }],
  ["as what comes later", { agents: { main: { model: TOKEN } } }],
  ["as the server's token, of the wrong kind", { server: { token: [TOKEN] } }],
  ["beside another mistake", { server: { token: TOKEN, host: TOKEN, port: "x" } }],
  ["beside the same text as a known secret", { server: { token: "hunter22" }, log: { level: "hunter22" } }],
])("never prints a token that stands %s", (_, input) => {
  const printed = printFailure(input);
  expect(printed).toContain("config_invalid");
  expect(printed).not.toMatch(/secretsecret|hunter2/);
});

it("never prints a token that is a number", () => {
  expect(printFailure({ server: { token: 987654321 } })).not.toContain("987654321");
});

it("never prints what a variable gave to a plugin", () => {
  const printed = printFailure(
    { channels: { irc: { accounts: { default: { pass: "env:P" } } } }, log: { level: "hunter22" } },
    { P: "hunter22" },
  );
  expect(printed).toContain("config_invalid");
  expect(printed).not.toContain("hunter22");
});

it("collects the secrets of file and environment for the log", () => {
  const loaded = readWritten(
    {
      server: { token: "server-token", host: "env:HOST" },
      channels: {
        ferry: { accounts: { default: { url: "env:URL" } } },
        irc: { accounts: { home: { sasl: { password: "irc-password" }, nick: "banyan", pass: "env:PASS", pin: 1 } } },
      },
    },
    { env: { HOST: "0.0.0.0", URL: "http://ferry", PASS: "irc-pass", FERRY_TOKEN: "ferry-token" } },
  );
  expect(loaded.secrets.toSorted()).toEqual(["ferry-token", "irc-pass", "irc-password", "server-token"]);
});

it("describes every effective value with its source, and no secret", () => {
  const loaded = readWritten(
    {
      server: { token: "server-token" },
      agents: { defaults: { runtime: "echo" }, ops: {} },
      routes: [{ agent: "ops", match: { channel: "ferry" } }],
      channels: { ferry: { accounts: { default: { pollSeconds: 5, pass: "env:PASS" } } } },
      plugins: [{ package: "irc", config: { apiKey: "plugin-key" } }],
    },
    { env: { FERRY_TOKEN: "ferry-token", PASS: "ferry-pass", BANYAN_PORT: "1" } },
  );
  const described = describeConfig(loaded);
  const lines = described.map(({ path, value, source }) => `${path} = ${value} (${source})`);
  expect(lines).toEqual(
    expect.arrayContaining([
      'server.host = "127.0.0.1" (default)',
      "server.port = 1 (environment BANYAN_PORT)",
      "server.token = (secret) (file)",
      'agents.ops.runtime = "echo" (file)',
      "agents.ops.default = true (default)",
      'routes[0].agent = "ops" (file)',
      "channels.ferry.accounts.default.token = (secret) (environment FERRY_TOKEN)",
      "channels.ferry.accounts.default.pass = (secret) (environment PASS)",
      "channels.ferry.accounts.default.pollSeconds = 5 (file)",
      "channels.ferry.accounts.default.allowFrom = [] (default)",
      "plugins[0].config.apiKey = (secret) (file)",
    ]),
  );
  expect(lines.join("\n")).not.toMatch(/server-token|ferry-token|ferry-pass|plugin-key/);
});

it("takes what stands in the environment under a secret's name for a secret, and words, flags and places for none", () => {
  const env = {
    GEMINI_API_KEY: "AIza-0123456789",
    CI_TOKEN: " abcdefghijklmnopqrstuvwxyz ",
    DB_PASSWORD: "correct-horse-9",
    SECRET_URL: "https://ada:hunter22@db.example/x",
    USE_TOKEN: "true",
    TOKEN_KIND: "bearer-token",
    PASSWORD_STORE_DIR: "/home/ada/.password-store-2",
    TOKEN_URL: "https://auth.example.org/v2/token",
    CREDENTIALS_FILE: "./credentials-2026.json",
    PASSPHRASE_HINT: "the 3rd stone of the well",
    EMPTY_TOKEN: undefined,
    PATH: "/usr/bin:/opt/0123456789",
  };
  expect(listSecretVariables(env)).toEqual([
    "AIza-0123456789",
    "abcdefghijklmnopqrstuvwxyz",
    "correct-horse-9",
    "https://ada:hunter22@db.example/x",
  ]);
});
