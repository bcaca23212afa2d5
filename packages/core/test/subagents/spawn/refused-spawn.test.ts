import type { ToolResult } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import type { AgentConfig } from "../../../src/config/config.ts";
import { aborted } from "../../turns/played-runtime.ts";
import { createGate } from "../tools/tool-desk.ts";
import { type Player, TreeDesk, type TreeDeskOptions } from "../tree-desk.ts";
import { REFUSED_SPAWNS, type RefusedSpawn } from "./refused-spawn.ts";

const played: AgentConfig = { runtime: "played", workspace: "/workspace", tools: { deny: [] } };
const hangs: Player = async ({ signal }) => {
  await aborted(signal);
  return "";
};

/** All that a spawn could leave in the store. */
async function lookAt({ store }: TreeDesk): Promise<object> {
  const { read } = store;
  return {
    runs: await read.runs({ limit: 99 }),
    sessions: (await read.sessions({ limit: 99 })).map(({ key }) => key).toSorted(),
    timers: (await read.timers({ limit: 99 })).map(({ id }) => id),
    bindings: (await read.routes()).bindings,
  };
}

/** Where the asking session stands, with what is at work. */
async function openDesk({ agents, options, busy = [] }: Partial<RefusedSpawn>, more: TreeDeskOptions = {}) {
  const desk = await new TreeDesk({
    agents: { main: { ...played, ...agents?.main }, ops: { ...played, ...agents?.ops } },
    ...(options === undefined ? {} : { options }),
    ...more,
  }).start();
  desk.plays(/^busy/, hangs);
  for (const label of busy) await desk.says(`/spawn --label ${label} busy`);
  await desk.says("hello");
  return desk;
}

describe("a spawn that the rules refuse", () => {
  it.each(REFUSED_SPAWNS)("by the tool: $name is $status $code, and nothing is written", async (spawn) => {
    const { args, status, code, says } = spawn;
    const desk = await openDesk(spawn);
    let result: ToolResult | undefined;
    desk.plays(/^ask/, async ({ call }) => {
      const before = await lookAt(desk);
      result = await call("sessions_spawn", { task: "work", ...args });
      expect(await lookAt(desk)).toEqual(before);
      return "asked";
    });
    await desk.says("ask");
    expect(result?.isError).toBe(true);
    expect(JSON.parse(result?.text ?? "")).toEqual({ status, code, error: expect.stringContaining(says) });
    expect(desk.heard().at(-1)).toBe("asked");
  });

  it.each(REFUSED_SPAWNS.filter(({ line }) => line !== undefined))(
    "by the command: $name is told in a sentence, and nothing is written",
    async (spawn) => {
      const desk = await openDesk(spawn);
      const before = await lookAt(desk);
      await desk.says(`/spawn ${spawn.line} work`);
      expect(desk.heard().at(-1)).toMatch(/^⚠ Spawning a sub-agent: [^;]+; .+$/);
      expect(desk.heard().at(-1)).toContain(spawn.says);
      // A person has no tools and no turn.
      expect(desk.heard().at(-1)).not.toMatch(
        /agents_list|the tool |your turn|do the task yourself|thread: true|without thread$/,
      );
      expect(await lookAt(desk)).toEqual(before);
    },
  );
});

describe("a spawn from a session as deep as any may be", () => {
  const agents = { main: { subagents: { maxSpawnDepth: 1 } } };

  it("is no tool of an agent's", async () => {
    const desk = await openDesk({ agents });
    let text = "";
    desk.plays(/^ask/, async ({ call }) => {
      const before = await lookAt(desk);
      text = (await call("sessions_spawn", { task: "work" })).text;
      expect(await lookAt(desk)).toEqual(before);
      return "asked";
    });
    await desk.says("/spawn ask");
    expect(text).toContain("there is no such tool for you");
  });

  it.each([
    ['--agent "No Id" work', "agentId is not the id of an agent"],
    ["work", "depth limit reached (maxSpawnDepth 1); write the task here yourself, or `/unfocus`"],
    ["--agent ops work", "depth limit reached (maxSpawnDepth 1); write the task here yourself, or `/unfocus`"],
  ])("is refused to a person who talks with it: %s", async (line, says) => {
    const desk = await openDesk({ agents, busy: ["inner"] });
    await desk.says("/focus inner");
    const before = await lookAt(desk);
    await desk.says(`/spawn ${line}`);
    expect(desk.heard().at(-1)).toMatch(/^⚠ Spawning a sub-agent: /);
    expect(desk.heard().at(-1)).toContain(says);
    expect(await lookAt(desk)).toEqual(before);
  });
});

it("a spawn in which everything is wrong is told one thing after another, in the order of the table", async () => {
  const agents: Record<string, AgentConfig> = {
    main: { ...played, sandbox: "strict", subagents: { maxSpawnDepth: 2 } },
    ops: { ...played, sandbox: "workspace" },
  };
  const change = (subagents: AgentConfig["subagents"], sandbox: AgentConfig["sandbox"] = "strict") => {
    agents.main = { ...played, sandbox, subagents: { ...agents.main?.subagents, ...subagents } };
  };
  const desk = await new TreeDesk({ agents, options: { limits: { maxTreeRuns: 3 } } }).start();
  const other = createGate();
  desk.plays(/^other/, other.player);
  desk.plays(/^leaf/, hangs);
  await desk.says("/spawn other");
  const codes: string[] = [];
  const asked = Promise.withResolvers<void>();
  desk.plays(/^ask/, async ({ call }) => {
    // Depth cannot be among them: who is too deep has no such tool.
    await call("sessions_spawn", { task: "leaf" });
    change({ maxChildrenPerAgent: 1, requireAgentId: true });
    let args: object = { agentId: "No Id", mode: "loop", thinking: "hard", model: "huge", attachments: "a" };
    const tell = async (cured: object) => {
      args = { ...args, ...cured };
      const { text } = await call("sessions_spawn", { task: "work", ...args });
      codes.push(JSON.parse(text).code ?? JSON.parse(text).status);
    };
    await tell({});
    await tell({ agentId: undefined });
    await tell({ agentId: "ops" });
    await tell({ mode: "session", thread: false });
    await tell({ thread: true });
    await tell({ thinking: "low" });
    await tell({ model: undefined });
    await tell({ attachments: [] });
    change({ maxChildrenPerAgent: 5 });
    await tell({});
    other.open();
    await desk.rest();
    await tell({});
    change({ allowAgents: ["ops"] });
    await tell({});
    agents.ops = { ...played, sandbox: "strict" };
    await tell({});
    await tell({ mode: "run", thread: false });
    asked.resolve();
    return "asked";
  });
  await desk.says("/spawn ask");
  await asked.promise;
  expect(codes).toEqual([
    "agent_id_invalid",
    "agent_id_required",
    "mode_unknown",
    "mode_needs_thread",
    "thinking_unknown",
    "model_unknown",
    "attachments_malformed",
    "children_reached",
    "tree_reached",
    "agent_not_allowed",
    "sandbox_lower",
    "thread_unavailable",
    "accepted",
  ]);
});
