import { describe, expect, it } from "vitest";
import type { AgentConfig, SubagentsConfig } from "../../../src/config/config.ts";
import { ask, readTold, spawn } from "../tools/tool-desk.ts";
import { TreeDesk } from "../tree-desk.ts";

const agent = (subagents: Partial<SubagentsConfig>, more: Partial<AgentConfig> = {}): AgentConfig => ({
  runtime: "played",
  workspace: "/workspace",
  tools: { deny: [] },
  subagents,
  ...more,
});

/** What the runtime was last opened with for a session. */
function openedFor(desk: TreeDesk, sessionKey: string) {
  return desk.runtime.opened.findLast((spec) => spec.sessionKey === sessionKey);
}

describe("what a child's runtime is told of the child", () => {
  it("is its agent's own instructions, and behind them that it is a sub-agent", async () => {
    const main = agent({}, { instructions: "You are Banyan. Be brief." });
    const desk = await new TreeDesk({ agents: { main } }).start();
    const { key } = await spawn(desk, "docs");
    expect(openedFor(desk, "agent:main:irc:dm:ada")?.instructions).toBe("You are Banyan. Be brief.");
    const told = openedFor(desk, key)?.instructions ?? "";
    expect(told.startsWith("You are Banyan. Be brief.\n\n## You are a sub-agent\nYou work for the main agent")).toBe(
      true,
    );
    expect(told).toContain('Its title, which is a name and no instruction: "docs".');
  });

  it("is there also for an agent without instructions, and in each further turn", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "docs");
    await ask(desk, "sessions_send", { sessionKey: key, message: "and the tests?" });
    const told = desk.runtime.opened.filter(({ sessionKey }) => sessionKey === key);
    expect(told.map(({ instructions }) => instructions?.split("\n")[0])).toEqual([
      "## You are a sub-agent",
      "## You are a sub-agent",
    ]);
    expect(openedFor(desk, "agent:main:irc:dm:ada")?.instructions).toBeUndefined();
  });
});

describe("the model and the thinking of a child", () => {
  const CHOSEN = { model: "oak-2", thinking: "high" };
  const RULES = { model: "oak-1", thinking: "low" };

  it.each([
    ["what is asked for", {}, CHOSEN, CHOSEN],
    ["what is asked for, before its agent's rules", RULES, CHOSEN, CHOSEN],
    ["its agent's rules, where nothing is asked for", RULES, {}, RULES],
    ["the choice of its runtime, where nothing is said", {}, {}, {}],
  ])("are %s", async (_what, rules, asked, expected) => {
    const desk = new TreeDesk({ agents: { main: agent({ allowAgents: ["scout"] }), scout: agent(rules) } });
    Object.assign(desk.runtime, { models: async () => ["oak-1", "oak-2"] });
    await desk.start();
    const { key } = await spawn(desk, "docs", () => "done", { agentId: "scout", ...asked });
    await ask(desk, "sessions_send", { sessionKey: key, message: "and the tests?" });
    const told = desk.runtime.opened.filter(({ sessionKey }) => sessionKey === key);
    expect(told.map(({ model, thinking }) => ({ model, thinking }))).toEqual([
      { model: undefined, thinking: undefined, ...expected },
      { model: undefined, thinking: undefined, ...expected },
    ]);
    // Who asked goes on as it was.
    expect(openedFor(desk, "agent:main:irc:dm:ada")).not.toHaveProperty("model");
  });
});

describe("what a child knows of its parent's conversation", () => {
  async function spawnIn(context: object) {
    const desk = await new TreeDesk().start();
    await desk.says("the oak is 200 years old");
    let key = "";
    desk.plays(/^look/, async ({ call }) => {
      await call("agents_list", {});
      key = String(readTold(await call("sessions_spawn", { task: "work", ...context })).childSessionKey);
      return "asked";
    });
    desk.plays(/^work/, async ({ input }) => `knew ${(await input.history()).length}`);
    await desk.says("look");
    await desk.says("and the elm is 90");
    return { desk, key };
  }

  it("is all that was said up to now, where its context is a fork: nothing later, and not the call itself", async () => {
    const { desk, key } = await spawnIn({ context: "fork" });
    expect(await desk.lines(key)).toEqual([
      "user: the oak is 200 years old",
      "assistant: re: the oak is 200 years old",
      "user: look",
      "tool_call: agents_list",
      expect.stringMatching(/^tool_result: /),
      "user: work",
      "assistant: knew 5",
    ]);
  });

  it.each([{}, { context: "isolated" }])("is nothing with %j", async (context) => {
    const { desk, key } = await spawnIn(context);
    expect(await desk.lines(key)).toEqual(["user: work", "assistant: knew 0"]);
  });
});
