import { describe, expect, it } from "vitest";
import { planOf, spawn } from "./spawn-desk.ts";

describe("attack 19: spawning to get away", () => {
  const STAR = { main: { subagents: { allowAgents: ["*"] } } };

  it.each([
    ["constructor", "agent_unknown"],
    ["valueof", "agent_unknown"],
    ["__proto__", "agent_id_invalid"],
  ])("finds no agent behind %s, which every object has", (agentId, code) => {
    expect(spawn({ agentId }, { agents: STAR })).toMatchObject({ kind: "refused", code });
  });

  it("reaches only configured agents, also where any is allowed", () => {
    expect(spawn({ agentId: "nobody" }, { agents: STAR })).toMatchObject({
      status: "forbidden",
      code: "agent_unknown",
      error: expect.stringContaining("there is no agent nobody in the configuration"),
    });
    expect(spawn({ agentId: "nobody", model: "small" }, { agents: STAR })).toMatchObject({ code: "agent_unknown" });
    expect(spawn({ agentId: "ops" }, { agents: STAR }).kind).toBe("planned");
  });

  it("tells nobody which agents there are beyond those he may spawn", () => {
    expect(spawn({ agentId: "nobody" })).toMatchObject({ code: "agent_not_allowed" });
  });

  it("leads to no agent with a weaker sandbox", () => {
    const agents = { ...STAR, ops: { sandbox: "off" } } as const;
    expect(spawn({ agentId: "ops" }, { agents })).toMatchObject({ code: "sandbox_lower" });
    expect(spawn({ agentId: "ops" }, { agents, requester: { sandbox: "off" } }).kind).toBe("planned");
    expect(spawn({ agentId: "ops", sandbox: "require" }, { agents, requester: { sandbox: "off" } })).toMatchObject({
      status: "forbidden",
      code: "sandbox_required",
    });
  });

  it.each([
    ["..", {}],
    ["/srv", {}],
    ["/srv/main-beside", {}],
    ["sub/../../ops", {}],
    // The agent's own folder is more than a child's that was put into a part of it.
    ["/srv/main", { requester: { workspaceDir: "/srv/main/part" } }],
    ["..", { requester: { workspaceDir: "/srv/main/part" } }],
    ["/srv/ops", {}],
  ])("puts no child into %j", (workspaceDir, facts) => {
    expect(spawn({ workspaceDir }, facts)).toMatchObject({ status: "forbidden", code: "workspace_outside" });
  });

  it("never frees a child of its parent's folder, whatever its agent's is", () => {
    const plan = planOf({}, { requester: { workspaceDir: "/srv/main/part" } });
    expect(plan.body.workspaceDir).toBe("/srv/main/part");
    expect(plan.workspaceRoots).toEqual(["/srv/main/part"]);
  });
});
