import { expect, it } from "vitest";
import { parseConfig } from "../../src/config/read-config.ts";
import { PROBLEM_FORM, problemsOf, readWritten } from "./written-config.ts";

const AGENT_DEFAULTS = {
  turnTimeoutSeconds: 600,
  sandbox: "workspace",
  subagents: {
    maxSpawnDepth: 2,
    maxChildrenPerAgent: 5,
    allowAgents: [],
    requireAgentId: false,
    runTimeoutSeconds: 0,
    maxRunTimeoutSeconds: 0,
    archiveAfterMinutes: 60,
    announceTimeoutMs: 600_000,
  },
};

it("fills every default when nothing is written", () => {
  expect(parseConfig({}, { folder: "/srv/bot" })).toEqual({
    stateDir: "/srv/bot/.banyan",
    server: { host: "127.0.0.1", port: 8787 },
    log: { level: "info", pretty: "auto", file: true },
    limits: { maxConcurrent: 8, maxTreeRuns: 64, answerMinutes: 10, runRetentionDays: 30, auditRetentionDays: 90 },
    agents: { main: { runtime: "demo", workspace: "/srv/bot", tools: { deny: [] }, ...AGENT_DEFAULTS } },
    defaultAgent: "main",
    routes: [],
    session: { scope: "per-sender", dmScope: "per-channel-peer", acceptSharedDm: false, identityLinks: {} },
    queue: { byChannel: {} },
    threads: { enabled: true, idleHours: 24, maxAgeHours: "off", fallback: "reply", nameFrom: "label" },
    channels: {},
    plugins: [],
    prices: {},
    providers: {},
    tools: {
      sessions: { visibility: "tree" },
      agentToAgent: { enabled: false, allow: [] },
      attachments: { limitBytes: 20_971_520, turnLimitBytes: 52_428_800 },
    },
    store: { driver: "sqlite", synchronous: "full", readable: true },
  });
});

it("keeps what is written, an editor's $schema aside", () => {
  const { config } = readWritten({
    $schema: "./banyan.schema.json",
    stateDir: "../state",
    server: { port: 0, token: "open sesame" },
    log: { level: "debug", pretty: false },
    agents: { defaults: { runtime: "echo" }, main: { workspace: "docs", tools: { deny: ["exec"] } } },
    plugins: ["irc", { package: "./ferry.ts", config: { slow: true } }],
    tools: {},
    store: { driver: "memory" },
  });
  expect(config.stateDir).toBe("/srv/state");
  expect(config.server).toEqual({ host: "127.0.0.1", port: 0, token: "open sesame" });
  expect(config.agents.main).toEqual({
    runtime: "echo",
    workspace: "/srv/bot/docs",
    tools: { deny: ["exec"] },
    ...AGENT_DEFAULTS,
  });
  expect(config.plugins).toEqual([
    { package: "irc", config: {} },
    { package: "./ferry.ts", config: { slow: true } },
  ]);
  expect(config.store.driver).toBe("memory");
});

it("takes a key without a value for one that is not written", () => {
  expect(readWritten({ server: undefined, agents: { main: { model: undefined } } }).config.server.port).toBe(8787);
});

it("finds no agent behind a name that every object has", () => {
  expect(readWritten({}).config.agents.constructor).toBeUndefined();
});

it("tells all problems at once, each by its path", () => {
  const problems = problemsOf({
    sesion: {},
    server: { port: 99_999 },
    session: { ttlMinutes: 5 },
    agents: { main: { runtime: 3 } },
  });
  expect(problems.map((line) => line.split(":")[0])).toEqual([
    "session.ttlMinutes",
    "server.port",
    "agents.main.runtime",
    "sesion",
  ]);
});

it.each([
  [
    "a wrong policy beside a user name",
    { channels: { ferry: { accounts: { default: { dmPolicy: "opne", allowFrom: ["@ada"] } } } } },
    ["channels.ferry.accounts.default.dmPolicy", "channels.ferry.accounts.default.allowFrom[0]"],
  ],
  [
    "an unknown key and a route to nobody",
    { sesion: {}, server: { prot: 1 }, routes: [{ agent: "man", match: { channel: "ferry" } }] },
    ["server.prot", "sesion", "routes[0].agent"],
  ],
  [
    "a setting of an agent and an unknown runtime of another",
    { agents: { main: { default: true, workspace: 3 }, second: { runtime: "dmeo" } } },
    ["agents.main.workspace", "agents.second.runtime"],
  ],
  [
    "an agent of the wrong kind, whose routes are not blamed for it",
    { agents: { main: {}, second: 5 }, routes: [{ agent: "second", match: { channel: "ferry" } }] },
    ["agents.second"],
  ],
  [
    "a default of the wrong kind, whose lack is not blamed",
    { agents: { main: { default: "yes" }, second: {} } },
    ["agents.main.default"],
  ],
  [
    "an id of the wrong kind, behind which the places are kept",
    { channels: { ferry: { accounts: { default: { allowFrom: [true, "@ada"] } } } } },
    ["channels.ferry.accounts.default.allowFrom[0]"],
  ],
])("tells what the schema refuses and what only its meaning does together: %s", (_name, input, paths) => {
  expect(problemsOf(input).map((line) => line.split(":")[0])).toEqual(paths);
});

it.each([
  [{ sesion: {} }, 'sesion: unknown key, received an object; did you mean "session"?'],
  [{ server: { prot: 1 } }, 'server.prot: unknown key, received a number; did you mean "port"?'],
  [{ Session: {} }, 'Session: unknown key, received an object; did you mean "session"?'],
  [
    { agents: { main: { modle: "x" } } },
    'agents.main.modle: unknown key, received a text of 1 characters; did you mean "model"?',
  ],
  [
    { routes: [{ agent: "main", match: { chanel: "ferry", channel: "ferry" } }] },
    'routes[0].match.chanel: unknown key, received a text of 5 characters; did you mean "channel"?',
  ],
  [
    { plugins: [{ pakage: "x", package: "irc" }] },
    'plugins[0].pakage: unknown key, received a text of 1 characters; did you mean "package"?',
  ],
  [
    { channels: { ferry: { accounts: { default: { groups: { polcy: "disabled" } } } } } },
    'channels.ferry.accounts.default.groups.polcy: unknown key, received a text of 8 characters; did you mean "policy"?',
  ],
  [
    { store: { zzz: 1 } },
    "store.zzz: unknown key, received a number; remove it; known here: driver, synchronous, readable, url",
  ],
  [{ server: 5 }, "server: of the wrong kind, received the number 5; write an object"],
  [{ server: { port: "8787" } }, 'server.port: of the wrong kind, received "8787"; write a number'],
  [{ server: { port: 1.5 } }, "server.port: of the wrong kind, received the number 1.5; write a whole number"],
  [{ server: { port: -1 } }, "server.port: too small, received the number -1; write at least 0"],
  [{ server: { host: " " } }, 'server.host: blank, received " "; write a text that is not blank'],
  [{ log: { pretty: "yes" } }, 'log.pretty: of the wrong kind, received "yes"; write true or false or "auto"'],
  [
    { session: { dmScope: "per-user" } },
    'session.dmScope: not a value that is known here, received "per-user"; write "main" or "per-peer" or "per-channel-peer" or "per-account-channel-peer"',
  ],
  [{ routes: [{ match: { channel: "ferry" } }] }, "routes[0].agent: missing, received nothing; write a text"],
  [{ plugins: [3] }, "plugins[0]: of the wrong kind, received the number 3; write a text or an object"],
  [{ plugins: ["irc", "irc"] }, 'plugins[1]: the plugin is named twice, received "irc"; remove one of the two'],
  [7, "the configuration: of the wrong kind, received the number 7; write an object"],
])("refuses %j", (input, problem) => {
  expect(problemsOf(input)).toEqual([problem]);
  expect(problem).toMatch(PROBLEM_FORM);
});

it("refuses a key that reaches the prototype instead of dropping it", () => {
  const [problem] = problemsOf(JSON.parse('{ "agents": { "__proto__": { "runtime": "echo" } } }'));
  expect(problem).toMatch(/^agents\.__proto__: no name for a key/);
});

it("refuses a configuration that contains itself", () => {
  const input: Record<string, unknown> = {};
  input.agents = input;
  expect(problemsOf(input)[0]).toMatch(/nested deeper than 32/);
});
