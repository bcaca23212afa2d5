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
  const agents = { main: AGENT, ops: { ...AGENT, sandbox: "strict" } as const };
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
