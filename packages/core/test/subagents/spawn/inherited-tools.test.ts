import { describe, expect, it } from "vitest";
import type { AgentConfig, SubagentsConfig } from "../../../src/config/config.ts";
import { openTestData } from "../../open-test-store.ts";
import { ask, createGate, readTold, spawn, type Told } from "../tools/tool-desk.ts";
import { TreeDesk } from "../tree-desk.ts";

const agent = (deny: readonly string[], subagents: Partial<SubagentsConfig> = {}): AgentConfig => ({
  runtime: "played",
  workspace: "/workspace",
  tools: { deny },
  subagents: { maxSpawnDepth: 3, allowAgents: ["*"], ...subagents },
});

/** The tools that the runtime was last told of for a session. */
function toolsOf(desk: TreeDesk, sessionKey: string): readonly string[] {
  const opened = desk.runtime.opened.findLast((spec) => spec.sessionKey === sessionKey);
  return opened?.tools.map(({ name }) => name) ?? [];
}

describe("the tools of a child", () => {
  const agents = { main: agent(["list_files"]), scout: agent(["read_file"]), free: agent([]) };

  it("are those that every agent above it and its own may use", async () => {
    const desk = await new TreeDesk({ agents }).start();
    const told: Told[] = [];
    desk.plays(/^leaf/, async ({ call }) => {
      for (const name of ["list_files", "read_file"]) told.push(readTold(await call(name, { path: "." })));
      return "looked";
    });
    let leaf = "";
    const { key } = await spawn(
      desk,
      "middle",
      async ({ call }) => {
        const { childSessionKey } = readTold(await call("sessions_spawn", { task: "leaf", agentId: "free" }));
        leaf = String(childSessionKey);
        return "asked";
      },
      { agentId: "scout" },
    );
    const filesOf = (of: string) => toolsOf(desk, of).filter((name) => name === "list_files" || name === "read_file");
    expect(filesOf("agent:main:irc:dm:ada")).toEqual(["read_file"]);
    expect(filesOf(key)).toEqual([]);
    expect(leaf).toContain("agent:free:");
    expect(filesOf(leaf)).toEqual([]);
    expect(told.map(({ error }) => error)).toEqual([
      expect.stringContaining("there is no such tool for you"),
      expect.stringContaining("there is no such tool for you"),
    ]);
  });

  it("are not given back by a way that leads through another agent to the first one", async () => {
    const desk = await new TreeDesk({ agents: { main: agent([]), scout: agent(["read_file"]) } }).start();
    let again = "";
    desk.plays(/^again/, () => "looked");
    await spawn(
      desk,
      "middle",
      async ({ call }) => {
        again = String(readTold(await call("sessions_spawn", { task: "again", agentId: "main" })).childSessionKey);
        return "asked";
      },
      { agentId: "scout" },
    );
    expect(again).toContain("agent:main:subagent:");
    expect(toolsOf(desk, "agent:main:irc:dm:ada")).toContain("read_file");
    expect(toolsOf(desk, again)).toContain("list_files");
    expect(toolsOf(desk, again)).not.toContain("read_file");
  });
});

describe("what a child may do in its tree", () => {
  it.each([
    [2, 1, false],
    [1, 2, true],
  ])("goes by the configuration of now: born at a depth of %i, at work at %i", async (before, after, maySpawn) => {
    const data = openTestData();
    const deskAt = (maxSpawnDepth: number) =>
      new TreeDesk({ agents: { main: agent([], { maxSpawnDepth }) }, data }).plays(/^below/, () => "done below");
    const earlier = await deskAt(before).start();
    const { key } = await spawn(earlier, "middle", createGate().player);
    expect(toolsOf(earlier, key).includes("sessions_spawn")).toBe(!maySpawn);
    earlier.crash();
    const desk = deskAt(after);
    desk.messages = earlier.messages;
    const told: Told[] = [];
    desk.plays(/^work as middle/, async ({ call }) => {
      told.push(readTold(await call("sessions_spawn", { task: "below" })));
      told.push(readTold(await call("subagents", { action: "kill", target: "all" })));
      return "done";
    });
    await desk.start();
    await desk.rest();
    const SESSION = ["sessions_spawn", "subagents", "sessions_send"];
    expect(toolsOf(desk, key).filter((name) => SESSION.includes(name))).toHaveLength(maySpawn ? 3 : 0);
    const unknown = { isError: true, error: expect.stringContaining("there is no such tool for you") };
    expect(told).toMatchObject(maySpawn ? [{ status: "accepted" }, { status: "ok" }] : [unknown, unknown]);
    // Of the session of a person it has never been a question.
    expect((await ask(desk, "agents_list", {})).status).toBe("ok");
  });
});
