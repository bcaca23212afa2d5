import { expect, it } from "vitest";
import type { AgentConfig } from "../../../src/config/config.ts";
import { TreeDesk } from "../tree-desk.ts";

it("attack 19: a child of a strict agent stays strict when its own agent's level is lowered while it works", async () => {
  const played = { runtime: "played", workspace: "/workspace", tools: { deny: [] } };
  const agents: Record<string, AgentConfig> = {
    main: { ...played, sandbox: "strict", subagents: { allowAgents: ["ops"] } },
    ops: { ...played, sandbox: "strict" },
  };
  const answers: string[] = [];
  const desk = await new TreeDesk({ agents }).start();
  desk.plays(/^go/, async ({ call }) => {
    answers.push((await call("sessions_spawn", { task: "first", agentId: "ops" })).text);
    agents.ops = { ...played, sandbox: "off" };
    return "asked";
  });
  desk.plays(/^first/, async ({ call }) => {
    answers.push((await call("sessions_spawn", { task: "second" })).text);
    answers.push((await call("agents_list", {})).text);
    return "done";
  });
  await desk.says("go");
  expect(answers.map((text) => JSON.parse(text))).toEqual([
    expect.objectContaining({ status: "accepted" }),
    expect.objectContaining({ status: "forbidden", code: "sandbox_lower" }),
    // What may be spawned is judged in the same way.
    { status: "ok", agents: [] },
  ]);
});
