import { expect, it } from "vitest";
import { findSource } from "../../../src/config/sources/value-source.ts";
import { problemsOf, readWritten } from "../written-config.ts";

it("reads env:NAME wherever it stands, in the form its key has", () => {
  const { config, sources } = readWritten(
    {
      server: { port: "env:WEB_PORT" },
      log: { pretty: "env:PRETTY" },
      channels: {
        ferry: {
          accounts: { work: { url: "env:URL", allowFrom: "env:OWNERS" }, home: { allowFrom: ["env:ADA", "2"] } },
        },
      },
    },
    { env: { WEB_PORT: "9000", PRETTY: "false", URL: " http://x ", OWNERS: "1, 2,", ADA: "1" } },
  );
  expect(config.server.port).toBe(9000);
  expect(config.log.pretty).toBe(false);
  expect(config.channels.ferry?.accounts.work).toMatchObject({ allowFrom: ["1", "2"], settings: { url: "http://x" } });
  expect(config.channels.ferry?.accounts.home?.allowFrom).toEqual(["1", "2"]);
  expect(findSource(sources, ["server", "port"])).toBe("environment WEB_PORT");
  expect(findSource(sources, ["channels", "ferry", "accounts", "home", "allowFrom", 0])).toBe("environment ADA");
  expect(findSource(sources, ["channels", "ferry", "accounts", "home", "allowFrom", 1])).toBe("file");
});

it.each([
  ["env:NOPE", "server.token: The variable NOPE is not set; set NOPE or write the value"],
  ["env:BLANK", "server.token: The variable BLANK is not set; set BLANK or write the value"],
  ["env:toString", "server.token: The variable toString is not set; set toString or write the value"],
  ["env:", 'server.token: No variable name after env:; write "env:NAME"'],
])("refuses %j", (token, problem) => {
  expect(problemsOf({ server: { token } }, { env: { BLANK: "  " } })).toEqual([problem]);
});

it("lets BANYAN_* win over the file, and a folder in it start where the command runs", () => {
  const { config, sources } = readWritten(
    { stateDir: "./here", server: { port: 1 }, log: { level: "warn" } },
    { cwd: "/home/ada", env: { BANYAN_STATE_DIR: "state", BANYAN_PORT: "2", BANYAN_LOG_LEVEL: "debug" } },
  );
  expect(config).toMatchObject({ stateDir: "/home/ada/state", server: { port: 2 }, log: { level: "debug" } });
  expect(findSource(sources, ["server", "port"])).toBe("environment BANYAN_PORT");
});

it("names the variable whose value is wrong", () => {
  expect(problemsOf({}, { env: { BANYAN_PORT: "many", BANYAN_LOG_LEVEL: "loud" } })).toEqual([
    'server.port (from BANYAN_PORT): Must be a number (got "many").',
    'log.level (from BANYAN_LOG_LEVEL): Must be debug, info, warn, error or silent (got "loud").',
  ]);
});

const ENV = { FERRY_TOKEN: "from-the-environment", FERRY_URL: "http://env", FERRY_ALLOW_FROM: "1, 2" };

function accountsOf(channels: unknown, env: Readonly<Record<string, string>> = ENV): unknown {
  return readWritten({ channels }, { env }).config.channels.ferry?.accounts;
}

it("switches a channel on without a file when its switching variable is set", () => {
  expect(accountsOf(undefined)).toEqual({
    default: {
      enabled: true,
      dmPolicy: "pairing",
      allowFrom: ["1", "2"],
      groups: { policy: "allowlist", allow: [], guilds: [], requireMention: true },
      catchUpHours: 24,
      settings: { token: "from-the-environment", url: "http://env" },
    },
  });
});

it("leaves a channel off when only its other variables are set", () => {
  expect(accountsOf(undefined, { FERRY_ALLOW_FROM: "1", FERRY_TOKEN: "" })).toBeUndefined();
});

it.each([
  ["the only account", { work: {} }, { work: { token: "from-the-environment", url: "http://env" } }],
  [
    "the account default",
    { work: {}, default: {} },
    { work: {}, default: { token: "from-the-environment", url: "http://env" } },
  ],
  ["what the file leaves open", { work: { token: "mine" } }, { work: { token: "mine", url: "http://env" } }],
  ["nobody of several", { work: {}, home: {} }, { work: {}, home: {} }],
])("gives the variables to %s", (_, accounts, settings) => {
  const read = readWritten({ channels: { ferry: { accounts } } }, { env: ENV }).config.channels.ferry?.accounts ?? {};
  expect(Object.fromEntries(Object.entries(read).map(([name, account]) => [name, account.settings]))).toEqual(settings);
});

it("leaves an account off that the file switches off", () => {
  expect(accountsOf({ ferry: { accounts: { default: { enabled: false } } } })).toMatchObject({
    default: { enabled: false },
  });
});

it("refuses a user name that a variable lets in", () => {
  const [problem] = problemsOf({}, { env: { ...ENV, FERRY_ALLOW_FROM: "@ada" } });
  expect(problem).toMatch(/^channels\.ferry\.accounts\.default\.allowFrom\[0\] \(from FERRY_ALLOW_FROM\): A user name/);
});
