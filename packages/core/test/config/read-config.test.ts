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
  [{ sesion: {} }, 'sesion: Unknown key; did you mean "session"?'],
  [{ server: { prot: 1 } }, 'server.prot: Unknown key; did you mean "port"?'],
  [{ Session: {} }, 'Session: Unknown key; did you mean "session"?'],
  [{ agents: { main: { modle: "x" } } }, 'agents.main.modle: Unknown key; did you mean "model"?'],
  [
    { routes: [{ agent: "main", match: { chanel: "ferry", channel: "ferry" } }] },
    'routes[0].match.chanel: Unknown key; did you mean "channel"?',
  ],
  [{ plugins: [{ pakage: "x", package: "irc" }] }, 'plugins[0].pakage: Unknown key; did you mean "package"?'],
  [
    { channels: { ferry: { accounts: { default: { groups: { polcy: "disabled" } } } } } },
    'channels.ferry.accounts.default.groups.polcy: Unknown key; did you mean "policy"?',
  ],
  [{ store: { zzz: 1 } }, "store.zzz: Unknown key; remove it; known here: driver, synchronous, readable, url"],
  [{ server: 5 }, "server: Must be an object (got 5)."],
  [{ server: { port: "8787" } }, 'server.port: Must be a number (got "8787").'],
  [{ server: { port: 1.5 } }, "server.port: Must be a whole number (got 1.5)."],
  [{ server: { port: -1 } }, "server.port: Must be at least 0 (got -1)."],
  [{ server: { host: " " } }, 'server.host: Must not be blank (got " ").'],
  [{ log: { pretty: "yes" } }, 'log.pretty: Must be true, false or auto (got "yes").'],
  [
    { session: { dmScope: "per-user" } },
    'session.dmScope: Must be main, per-peer, per-channel-peer or per-account-channel-peer (got "per-user").',
  ],
  [{ routes: [{ match: { channel: "ferry" } }] }, "routes[0].agent: Missing; write a string"],
  [{ plugins: [3] }, "plugins[0]: Must be a string or an object (got 3)."],
  [{ plugins: ["irc", "irc"] }, 'plugins[1]: The plugin is named twice (got "irc"); remove one of the two'],
  [7, "the configuration: Must be an object (got 7)."],
])("refuses %j", (input, problem) => {
  expect(problemsOf(input)).toEqual([problem]);
  expect(problem).toMatch(PROBLEM_FORM);
});

it("refuses a key that reaches the prototype instead of dropping it", () => {
  const [problem] = problemsOf(JSON.parse('{ "agents": { "__proto__": { "runtime": "echo" } } }'));
  expect(problem).toMatch(/^agents\.__proto__: Not a valid key/);
});

it("refuses a configuration that contains itself", () => {
  const input: Record<string, unknown> = {};
  input.agents = input;
  expect(problemsOf(input)[0]).toMatch(/Nested deeper than 32/);
});
