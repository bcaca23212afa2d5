import { expect, it } from "vitest";
import { describeConfig } from "../../../src/config/describe-config.ts";
import { getSubagentRules } from "../../../src/config/shapes/subagent-rules.ts";
import { PROBLEM_FORM, problemsOf, readWritten } from "../written-config.ts";

it("gives an agent that says nothing every default, times in milliseconds", () => {
  const defaults = {
    maxSpawnDepth: 2,
    maxChildrenPerAgent: 5,
    allowAgents: [],
    requireAgentId: false,
    archiveAfterMs: 3_600_000,
    announceTimeoutMs: 600_000,
    sandbox: "workspace",
  };
  expect(getSubagentRules(undefined)).toEqual(defaults);
  expect(getSubagentRules({})).toEqual(defaults);
  expect(getSubagentRules(readWritten({}).config.agents.main)).toEqual(defaults);
});

it("keeps what an agent says, and leaves the rest at its default", () => {
  const rules = getSubagentRules({ sandbox: "strict", subagents: { maxSpawnDepth: 3, runTimeoutSeconds: 90 } });
  expect(rules).toMatchObject({ sandbox: "strict", maxSpawnDepth: 3, runTimeoutMs: 90_000, maxChildrenPerAgent: 5 });
});

it("takes 0 for no time-out and no archiving", () => {
  const rules = getSubagentRules({ subagents: { runTimeoutSeconds: 0, archiveAfterMinutes: 0 } });
  expect(rules).not.toHaveProperty("runTimeoutMs");
  expect(rules).not.toHaveProperty("archiveAfterMs");
});

it("lays an agent's own rules over those of all agents, one by one, and says where each is from", () => {
  const loaded = readWritten({
    agents: {
      defaults: { sandbox: "strict", subagents: { maxSpawnDepth: 4, allowAgents: ["*"] } },
      a: { default: true, sandbox: "off", subagents: { maxSpawnDepth: 1 } },
      b: {},
    },
  });
  expect(loaded.config.agents.a).toMatchObject({ sandbox: "off", subagents: { maxSpawnDepth: 1, allowAgents: ["*"] } });
  expect(loaded.config.agents.b).toMatchObject({ sandbox: "strict", subagents: { maxSpawnDepth: 4 } });
  const lines = describeConfig(loaded).map(({ path, value, source }) => `${path} = ${value} (${source})`);
  expect(lines).toEqual(
    expect.arrayContaining([
      'agents.a.sandbox = "off" (file)',
      "agents.a.subagents.maxSpawnDepth = 1 (file)",
      "agents.b.subagents.maxSpawnDepth = 4 (file)",
      "agents.b.subagents.maxChildrenPerAgent = 5 (default)",
    ]),
  );
});

it.each([
  [{ maxSpawnDepth: 0 }, "agents.main.subagents.maxSpawnDepth: Must be at least 1 (got 0)."],
  [{ maxSpawnDepth: 9 }, "agents.main.subagents.maxSpawnDepth: Must be at most 8 (got 9)."],
  [{ maxChildrenPerAgent: 0 }, "agents.main.subagents.maxChildrenPerAgent: Must be at least 1 (got 0)."],
  [{ maxChildrenPerAgent: 101 }, "agents.main.subagents.maxChildrenPerAgent: Must be at most 100 (got 101)."],
  [{ runTimeoutSeconds: -1 }, "agents.main.subagents.runTimeoutSeconds: Must be at least 0 (got -1)."],
  [{ announceTimeoutMs: 1 }, "agents.main.subagents.announceTimeoutMs: Must be at least 1000 (got 1)."],
  [{ allowAgents: ["mian"] }, 'agents.main.subagents.allowAgents[0]: No such agent (got "mian"); did you mean "main"?'],
  [{ maxDepth: 1 }, /^agents\.main\.subagents\.maxDepth: Unknown key/],
  [{ model: "m" }, 'agents.main.subagents.model: Not a valid model name (got "m"); write "provider/model"'],
  [{ thinking: "loud" }, /^agents\.main\.subagents\.thinking: /],
])("refuses the rules %j", (subagents, problem) => {
  const problems = problemsOf({ agents: { main: { subagents } } });
  expect(problems).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)]);
  expect(problems[0]).toMatch(PROBLEM_FORM);
});

it.each([{ maxSpawnDepth: 1 }, { maxSpawnDepth: 8 }, { maxChildrenPerAgent: 100 }, { allowAgents: ["*", "main"] }])(
  "takes the rules %j",
  (subagents) => {
    expect(problemsOf({ agents: { defaults: { subagents }, main: {} } })).toEqual([]);
  },
);

it("refuses a sandbox that is no level", () => {
  expect(problemsOf({ agents: { main: { sandbox: "on" } } })).toEqual([
    'agents.main.sandbox: Must be off, workspace or strict (got "on").',
  ]);
});
