import type { AgentConfig } from "@banyan/core";
import { expect, it } from "vitest";
import { describeAgent } from "../../src/gateway/model-agents.ts";

const AGENT: AgentConfig = { runtime: "acp", workspace: "/srv", tools: { deny: [] } };
const MODELS = { agents: {}, providers: {}, usualModel: undefined };

it.each([
  ["claude", "acp: the program claude"],
  [{ command: "/opt/agent", args: ["--acp"] }, "acp: the program /opt/agent"],
] as const)("a foreign agent %j is told as %s", (agent, told) => {
  expect(describeAgent({ ...AGENT, acp: { agent, env: [] } }, MODELS)).toBe(told);
});
