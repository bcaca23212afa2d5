import { ACP_AGENTS, type AcpSettings } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import { decideLaunch } from "../../src/agents/launch-plan.ts";

const ENV = {
  PATH: "/bin",
  HOME: "/home/ada",
  ANTHROPIC_API_KEY: "sk-1",
  OPENAI_API_KEY: "sk-2",
  TELEGRAM_BOT_TOKEN: "12:secret",
  MINE: "mine",
};

function launch(settings: Partial<AcpSettings>, audience: "known" | "anybody" = "known") {
  return decideLaunch({ agentId: "main", settings: { agent: "claude", env: [], ...settings }, audience, env: ENV });
}

test("an agent is given what it needs of the environment, and what is named; no token of a channel", () => {
  expect(launch({ env: ["MINE", "NOT_SET"] })).toEqual({
    kind: "start",
    plan: {
      name: "claude",
      command: "claude-agent-acp",
      args: [],
      env: {
        PATH: "/bin",
        HOME: "/home/ada",
        ANTHROPIC_API_KEY: "sk-1",
        MINE: "mine",
        MCP_CONNECTION_NONBLOCKING: "0",
      },
      profile: "ask",
      mode: "default",
      needsMode: false,
    },
  });
});

test("where anybody can write no agent starts without a profile", () => {
  const decision = launch({}, "anybody");
  expect(decision).toMatchObject({ kind: "refused", why: expect.stringContaining("agents.main.acp.profile") });
});

test.each(ACP_AGENTS)("%s sets a mode under each profile that it can keep, and says so of the others", (agent) => {
  for (const profile of ["ask", "chat-safe"] as const) {
    const decision = launch({ agent, profile }, "anybody");
    if (decision.kind === "start") expect(decision.plan).toMatchObject({ mode: expect.any(String), needsMode: true });
    else
      expect(decision.why).toMatch(/^the profile "(ask|chat-safe)" cannot be kept by \w+: it .*; use another agent$/);
  }
});

test.each(["ask", "chat-safe"] as const)("under %s claude waits for the host's tools", (profile) => {
  expect(launch({ profile })).toHaveProperty("plan.env.MCP_CONNECTION_NONBLOCKING", "0");
});

test("under chat-safe claude has no tool but the host's, and its user's settings allow it none", () => {
  const options = { tools: [], allowedTools: ["mcp__banyan"], settingSources: [], strictMcpConfig: true };
  expect(launch({ profile: "chat-safe" })).toMatchObject({ plan: { meta: { claudeCode: { options } } } });
  expect(launch({ profile: "ask" })).not.toHaveProperty("plan.meta");
});

test("an agent that asks for nothing is not let into a chat where anybody writes, but its operator may use it", () => {
  expect(launch({ agent: "pi", profile: "ask" }, "anybody").kind).toBe("refused");
  expect(launch({ agent: "pi", profile: "chat-safe" }).kind).toBe("refused");
  expect(launch({ agent: "pi" })).toMatchObject({ kind: "start", plan: { command: "pi-acp" } });
});

test("a command of one's own has the mode that is configured", () => {
  const agent = { command: "/opt/mine", args: ["--acp"] };
  expect(launch({ agent, mode: "careful", profile: "chat-safe" })).toMatchObject({
    kind: "start",
    plan: { name: "mine", command: "/opt/mine", args: ["--acp"], mode: "careful", needsMode: true },
  });
});

test.each([
  ["claude", "claude-agent-acp"],
  ["codex", "codex-acp"],
  ["gemini", "gemini --acp"],
  ["opencode", "opencode acp"],
  ["qwen", "qwen --acp"],
  ["pi", "pi-acp"],
] as const)("%s is started as %s", (agent, line) => {
  const decision = launch({ agent });
  expect(decision.kind === "start" && [decision.plan.command, ...decision.plan.args].join(" ")).toBe(line);
});
