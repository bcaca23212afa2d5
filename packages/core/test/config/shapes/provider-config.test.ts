import { expect, it } from "vitest";
import { readConfig } from "../../../src/config/read-config.ts";
import { describeConfig } from "../../../src/index.ts";
import { PROBLEM_FORM, problemsOf } from "../written-config.ts";

const GROVE = {
  name: "grove",
  kind: "openai-compatible",
  usualModel: "grove-1",
  baseUrl: "https://grove.test/v1",
} as const;
const KNOWN = [{ ...GROVE, variables: { GROVE_KEY: "apiKey", GROVE_URL: "baseUrl" } }] as const;

function read(input: unknown, env: Readonly<Record<string, string>> = {}) {
  return readConfig(input, { folder: "/srv/bot", env, providers: KNOWN });
}

it("answers as demo as long as nobody names a model", () => {
  const { config } = read({});
  expect(config.agents.main?.runtime).toBe("demo");
  expect(config.usualModel).toBeUndefined();
});

it("makes a key in the environment a real model for an agent that says nothing", () => {
  const { config } = read({}, { GROVE_KEY: "grove-secret" });
  expect(config.agents.main?.runtime).toBe("ai");
  expect(config.usualModel).toBe("grove/grove-1");
  expect(config.providers.grove).toMatchObject({ kind: "openai-compatible", baseUrl: "https://grove.test/v1" });
});

it("asks the first model at an address of the operator's own", () => {
  const { config } = read({}, { GROVE_URL: "http://127.0.0.1:11434/v1" });
  expect(config.usualModel).toBe("grove");
  expect(config.providers.grove?.baseUrl).toBe("http://127.0.0.1:11434/v1");
});

it("names the variable of a provider that is known and not there", () => {
  const main = { model: "grove/grove-1" };
  expect(problemsOf({ agents: { main } }, { providers: KNOWN })).toEqual([
    'agents.main.model: No such model provider (got "grove/grove-1"); set GROVE_KEY or GROVE_URL',
  ]);
});

it("judges the models of the queue as well", () => {
  const queue = { interrupt: { model: "grave/large" }, byChannel: { irc: { interrupt: { model: "large" } } } };
  expect(problemsOf({ queue }, { providers: KNOWN })).toEqual([
    expect.stringMatching(/^queue\.interrupt\.model: No such model provider/),
    expect.stringMatching(/^queue\.byChannel\.irc\.interrupt\.model: Not a valid model name/),
  ]);
});

it("leaves an agent alone that names its runtime", () => {
  const { config } = read({ agents: { main: { runtime: "demo" } } }, { GROVE_KEY: "grove-secret" });
  expect(config.agents.main?.runtime).toBe("demo");
});

it("lets the file's key stand over the variable", () => {
  const { config } = read({ providers: { grove: { apiKey: "written-key" } } }, { GROVE_KEY: "other-secret" });
  expect(config.providers.grove?.apiKey).toBe("written-key");
});

it("takes an agent's model, fallbacks and thinking, over those of all agents", () => {
  const { config } = read({
    providers: { own: { baseUrl: "http://127.0.0.1:1/v1", contextWindow: 8_192, models: ["big"] } },
    agents: {
      defaults: { model: "own/small", thinking: "low" },
      main: { thinking: "high", fallbackModels: ["own/meta/other"], subagents: { model: "own/big", thinking: "off" } },
    },
  });
  expect(config.agents.main).toMatchObject({
    runtime: "ai",
    model: "own/small",
    thinking: "high",
    fallbackModels: ["own/meta/other"],
    subagents: { model: "own/big", thinking: "off" },
  });
});

it("keeps a key out of what is shown, and knows it for the logs", () => {
  const loaded = read(
    { providers: { own: { baseUrl: "http://127.0.0.1:1/v1", apiKey: "env:OWN_KEY" } } },
    { OWN_KEY: "k-123456" },
  );
  expect(loaded.secrets).toContain("k-123456");
  expect(JSON.stringify(describeConfig(loaded))).not.toContain("k-123456");
  expect(read({}, { GROVE_KEY: "grove-secret" }).secrets).toContain("grove-secret");
});

const OWN = { own: { baseUrl: "http://127.0.0.1:1/v1" } };

it.each([
  [
    { providers: { own: {} } },
    "providers.own.baseUrl: Needed to reach its models; set it, such as http://127.0.0.1:11434/v1",
  ],
  [{ providers: { Own: OWN.own } }, 'providers.Own: Not a valid provider name (got "Own"); use a-z, 0-9 and -'],
  [
    { providers: OWN, agents: { main: { model: "onw/x" } } },
    'agents.main.model: No such model provider (got "onw/x"); did you mean "own"?',
  ],
  [
    { providers: OWN, agents: { main: { model: "own/" } } },
    'agents.main.model: Not a valid model name (got "own/"); write "provider/model"',
  ],
  [
    { providers: OWN, agents: { main: { model: "own/x", fallbackModels: ["y"] } } },
    'agents.main.fallbackModels[0]: Not a valid model name (got "y"); write "provider/model"',
  ],
  [
    { agents: { main: { runtime: "ai" } } },
    'agents.main.model: Needed by the runtime ai; write "provider/model", with the provider under providers',
  ],
  [{ providers: { own: "sk-pasted-too-high" } }, "providers.own: "],
])("refuses %j", (input, problem) => {
  const [found = "", ...more] = problemsOf(input);
  expect(more).toEqual([]);
  expect(found.slice(0, problem.length)).toBe(problem);
  expect(found).toMatch(PROBLEM_FORM);
  expect(found).not.toContain("pasted");
});
