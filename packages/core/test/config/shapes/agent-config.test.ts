import { expect, it } from "vitest";
import { problemsOf, readWritten } from "../written-config.ts";

it("takes the only agent for the default one", () => {
  const { config } = readWritten({ agents: { defaults: { instructions: "Be brief." }, ops: {} } });
  expect(config.defaultAgent).toBe("ops");
  expect(Object.keys(config.agents)).toEqual(["ops"]);
  expect(config.agents.ops?.instructions).toBe("Be brief.");
});

it("takes main when only the defaults are written", () => {
  const { config } = readWritten({ agents: { defaults: { runtime: "echo" } } });
  expect(Object.keys(config.agents)).toEqual(["main"]);
  expect(config.agents.main).toMatchObject({ runtime: "echo", workspace: "/srv/bot", tools: { deny: [] } });
});

it("takes the default agent among several, and an own value before the defaults", () => {
  const { config } = readWritten({
    agents: {
      defaults: { runtime: "echo", tools: { allow: ["read_file"] } },
      a: { runtime: "demo" },
      b: { default: true },
    },
  });
  expect(config.defaultAgent).toBe("b");
  expect(config.agents.a).toMatchObject({ runtime: "demo", tools: { allow: ["read_file"] } });
});

it.each([
  [
    { a: {}, b: {} },
    "agents: Several agents and none is the default (got a, b); set default: true on the one that takes what no route matches",
  ],
  [
    { a: { default: true }, b: { default: true } },
    "agents.b.default: The agent a is the default already (got true); leave default: true on one agent",
  ],
  [
    { defaults: { default: true }, a: {} },
    "agents.defaults.default: The name defaults is reserved and not an agent (got true); set default: true on an agent",
  ],
  [{ "Ops Team": {} }, 'agents["Ops Team"]: Not a name for an agent (got "Ops Team"); write "ops-team"'],
  [
    { 日本: {} },
    'agents["日本"]: Not a name for an agent (got "日本"); begin with a-z or 0-9, then up to 63 of a-z, 0-9, _ and -',
  ],
  [{ main: { runtime: "dmeo" } }, 'agents.main.runtime: No such runtime (got "dmeo"); did you mean "demo"?'],
  [
    { main: { runtime: "scripted" } },
    'agents.main.runtime: No such runtime (got "scripted"); use one of demo, echo, ai, acp',
  ],
])("refuses the agents %j", (agents, problem) => {
  expect(problemsOf({ agents })).toEqual([problem]);
});

it("takes a runtime that the embedding program brings", () => {
  const { config } = readWritten({ agents: { main: { runtime: "scripted" } } }, { runtimes: ["scripted"] });
  expect(config.agents.main?.runtime).toBe("scripted");
});

it("takes how long a turn may be silent, an agent's own value before the one of all", () => {
  const agents = { defaults: { turnTimeoutSeconds: 60 }, main: { default: true }, slow: { turnTimeoutSeconds: 0 } };
  const { config } = readWritten({ agents });
  expect([config.agents.main?.turnTimeoutSeconds, config.agents.slow?.turnTimeoutSeconds]).toEqual([60, 0]);
  expect(problemsOf({ agents: { main: { turnTimeoutSeconds: -1 } } })).toEqual([
    expect.stringMatching(/^agents\.main\.turnTimeoutSeconds: /),
  ]);
});
