import { expect, it } from "vitest";
import type { AgentConfig } from "../src/config/config.ts";
import { getTurnAgent } from "../src/gateway-agents.ts";
import { openSessionEntry } from "../src/sessions/open-session-entry.ts";

const AGENT: AgentConfig = { runtime: "demo", workspace: "/srv/main", tools: { deny: [] } };
const ROUTES = { routes: [], defaultAgent: "main", scope: "per-sender", dmScope: "per-channel-peer" } as const;

/** The agent of a session with this key. */
function agentOf(key: string, entry: { readonly spawnLineage?: readonly string[] } = {}, agents = { main: AGENT }) {
  const opened = openSessionEntry({ key, sessionId: "5f0c2a52-2b8e-4a6e-9d0a-3c1f6e7b8a90", now: 0 });
  return getTurnAgent({ agents, routes: ROUTES }, { key, agentId: "main", entry: { ...opened, ...entry } });
}

it.each([
  ["agent:main:subagent:5f0c2a52", ["/srv/main/.banyan/5f0c2a52"]],
  ["agent:main:main", []],
  // Keys that others have built.
  ["agent:main:subagent:a:subagent:b", []],
  ["agent:main:subagent:%2E%2E", []],
  ["agent:main:subagent:..", []],
])("of %s may read %j and what it received of what is kept from tools", (key, openPaths) => {
  const received = "/srv/main/.banyan/received/5f0c2a52-2b8e-4a6e-9d0a-3c1f6e7b8a90";
  expect(agentOf(key).openPaths).toEqual([...openPaths, received]);
});

it("may start no process where one of its lineage is strict", () => {
  const able = { ...AGENT, tools: { ...AGENT.tools, exec: true } };
  const agents = { main: able, ops: { ...able, sandbox: "strict" } as const };
  expect(agentOf("agent:main:subagent:5f0c2a52", { spawnLineage: ["ops"] }, agents).policies).toContainEqual({
    deny: ["exec"],
  });
  expect(agentOf("agent:main:subagent:5f0c2a52", {}, agents).policies).not.toContainEqual({ deny: ["exec"] });
});

it("has no runtime that is a process of its own where one of its lineage is strict", () => {
  const agents = { main: AGENT, ops: { ...AGENT, sandbox: "strict" } as const };
  expect(agentOf("agent:main:subagent:5f0c2a52", { spawnLineage: ["ops"] }, agents).isStrict).toBe(true);
  expect(agentOf("agent:main:subagent:5f0c2a52", {}, agents).isStrict).toBe(false);
});

it("may run no programs where one of its lineage may not", () => {
  const agents = { main: { ...AGENT, tools: { ...AGENT.tools, exec: true } }, ops: AGENT };
  const { policies } = agentOf("agent:main:subagent:5f0c2a52", { spawnLineage: ["ops"] }, agents);
  expect(policies.filter(({ deny = [] }) => deny.includes("exec"))).toHaveLength(1);
});

it("stays in the budgets of its tree and of the day that those above it have, and has its own of its session", () => {
  const worker = { ...AGENT, budgets: { tokensPerTree: 5_000, tokensPerSession: 300, reserveTokens: 2_000 } };
  const lead = { ...AGENT, budgets: { tokensPerTree: 1_000, costUsdPerSenderDay: 2, turnsPerSession: 7 } };
  const below = (agents: { readonly main: AgentConfig; readonly lead: AgentConfig }) =>
    agentOf("agent:main:subagent:5f0c2a52", { spawnLineage: ["lead"] }, agents).budgets;
  expect(below({ main: worker, lead })).toEqual({
    tokensPerTree: 1_000,
    costUsdPerSenderDay: 2,
    tokensPerSession: 300,
    // Of what a session may use something must be left to begin with.
    reserveTokens: 299,
  });
  expect(below({ main: AGENT, lead })).toEqual({ tokensPerTree: 1_000, costUsdPerSenderDay: 2 });
  expect(below({ main: worker, lead: AGENT })).toEqual(worker.budgets);
  expect(below({ main: AGENT, lead: AGENT })).toBeUndefined();
});
