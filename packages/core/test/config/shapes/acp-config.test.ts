import { expect, it } from "vitest";
import { problemsOf, readWritten } from "../written-config.ts";

it("takes an agent by its name, with what is written for it and for all", () => {
  const { config } = readWritten({
    agents: {
      defaults: { acp: { profile: "chat-safe", env: ["HTTPS_PROXY"] } },
      main: { runtime: "acp", acp: { agent: "claude", mode: "plan" }, default: true },
      other: {},
    },
  });
  expect(config.agents.main?.acp).toEqual({
    agent: "claude",
    profile: "chat-safe",
    mode: "plan",
    env: ["HTTPS_PROXY"],
  });
  expect(config.agents.other?.acp).toBeUndefined();
});

it.each([
  ["./tools/agent", "/srv/bot/tools/agent"],
  ["/opt/agent", "/opt/agent"],
  ["agent", "agent"],
])("takes the command %s as %s", (command, resolved) => {
  const { config } = readWritten({
    agents: { main: { runtime: "acp", acp: { agent: { command, args: ["--acp"] } } } },
  });
  expect(config.agents.main?.acp).toEqual({ agent: { command: resolved, args: ["--acp"] }, env: [] });
});

it.each([
  [
    { runtime: "acp" },
    'agents.main.acp.agent: Missing; name the program: one of "claude", "codex", "gemini", "opencode", "qwen", "pi", or { command, args }',
  ],
  [
    { acp: { agent: "claude" } },
    'agents.main.acp: Only the runtime "acp" reads it (got runtime "demo"); set agents.main.runtime: "acp", or remove it',
  ],
  [
    { runtime: "acp", sandbox: "strict", acp: { agent: "claude" } },
    'agents.main.sandbox: The runtime "acp" is a separate process, and this level allows none (got "strict"); use "workspace", or another runtime',
  ],
  [
    { runtime: "acp", acp: { agent: "claude", profil: "ask" } },
    'agents.main.acp.profil: Unknown key; did you mean "profile"?',
  ],
  [
    { runtime: "acp", acp: { agent: "claude", profile: "yolo" } },
    'agents.main.acp.profile: Must be ask or chat-safe (got "yolo").',
  ],
])("refuses the agent %j", (agent, problem) => {
  expect(problemsOf({ agents: { main: agent } })).toEqual([problem]);
});

it.each([{ agent: "claud" }, { agent: { command: " " } }, { agent: "claude", env: ["A B"] }])("refuses %j", (acp) => {
  expect(problemsOf({ agents: { main: { runtime: "acp", acp } } })).not.toEqual([]);
});
