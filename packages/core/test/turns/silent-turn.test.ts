import type { PermissionRequest, RunEvent } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import type { AgentConfig } from "../../src/config/config.ts";
import { type Player, readSpawned, TreeDesk, type TreeDeskOptions } from "../subagents/tree-desk.ts";
import { aborted } from "./played-runtime.ts";

const MINUTE_MS = 60_000;
const SILENT = "it neither spoke nor called a tool for 10 min and was stopped (turnTimeoutSeconds)";
const STOPPED = `⚠ The agent could not finish: ${SILENT}. Your message is kept; write again to continue.`;

const main: AgentConfig = { runtime: "played", workspace: "/workspace", tools: { deny: [] } };

const REQUEST: PermissionRequest = {
  id: "q-1",
  text: "May I dig?",
  choices: [{ id: "once", label: "Yes, once", isAllowing: true }],
};

const hangs: Player = async ({ signal }) => {
  await aborted(signal);
  return "";
};

async function openDesk(options: Partial<AgentConfig> = {}, more: TreeDeskOptions = {}) {
  const desk = await new TreeDesk({ agents: { main: { ...main, ...options } }, ...more }).start();
  return desk.plays(/^hang/, hangs);
}

/** Speaks, or does something else, after each of these times, and is silent for ever then. */
function playsEvents(desk: TreeDesk, afterMs: readonly number[], eventAt: (index: number) => RunEvent) {
  const { play } = desk.runtime;
  desk.runtime.play = async function* (turn) {
    if (turn.input.input[0]?.text !== "events") return yield* play(turn);
    for (const [index, ms] of afterMs.entries()) {
      await new Promise<void>((resolve) => desk.ports.clock.schedule(ms, resolve));
      yield eventAt(index);
    }
    await aborted(turn.signal);
    yield { type: "end", reason: "stopped" };
  };
}

describe("a turn that neither speaks nor calls a tool", () => {
  it("is stopped after ten minutes, which its sender is told, and the next message is answered", async () => {
    const desk = await openDesk();
    await desk.says("hang");
    await desk.says("and you?");
    await desk.later(10 * MINUTE_MS - 1);
    expect(desk.heard()).not.toContain(STOPPED);
    await desk.later(1);
    expect(desk.heard().slice(-2)).toEqual([STOPPED, "re: and you?"]);
    expect((await desk.lines()).slice(0, 2)).toEqual(["user: hang", `notice: ${STOPPED}`]);
    expect(desk.turns.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it("is stopped after the seconds that its agent is given", async () => {
    const desk = await openDesk({ turnTimeoutSeconds: 90 });
    await desk.says("hang");
    await desk.later(90_000);
    expect(desk.heard().at(-1)).toContain("it neither spoke nor called a tool for 1 min 30 s and was stopped");
  });

  it("goes on where its agent has no such limit", async () => {
    const desk = await openDesk({ turnTimeoutSeconds: 0 });
    await desk.says("hang");
    await desk.later(24 * 60 * MINUTE_MS);
    expect(desk.heard()).toEqual([]);
  });

  it("is stopped also where the runtime does not open, or hears no abort", async () => {
    const desk = await openDesk();
    desk.runtime.play = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) });
    await desk.says("hang");
    await desk.later(10 * MINUTE_MS + 5_000);
    expect(desk.heard()).toEqual([STOPPED]);
  });

  it.each([
    ["says something", { type: "text", delta: "a" }],
    ["works with a tool of its own", { type: "activity" }],
  ] as const)("has ten minutes from the last time on that it %s", async (_name, event) => {
    const desk = await openDesk();
    playsEvents(desk, [9 * MINUTE_MS, 9 * MINUTE_MS], () => event);
    await desk.says("events");
    await desk.later(28 * MINUTE_MS - 1);
    expect(desk.heard()).toEqual([]);
    await desk.later(1);
    expect(desk.heard()).toEqual([event.type === "text" ? `aa\n\n${STOPPED}` : STOPPED]);
  });

  it("is not kept by whitespace", async () => {
    const desk = await openDesk();
    playsEvents(desk, [9 * MINUTE_MS], () => ({ type: "text", delta: " \n" }));
    await desk.says("events");
    await desk.later(10 * MINUTE_MS);
    expect(desk.heard()).toEqual([STOPPED]);
  });

  it("that is a sub-agent's ends its run, and its requester is told", async () => {
    const desk = await openDesk();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "hang", label: "h" });
      return "asked";
    });
    desk.plays(/“h”/, ({ text }) => `told: ${text.includes(`has failed: ${SILENT}`)}`);
    await desk.says("go");
    await desk.later(10 * MINUTE_MS);
    expect(desk.heard()).toEqual(["asked", "told: true"]);
    expect((await desk.runs())[0]).toMatchObject({ state: "ended", endedReason: "error" });
  });
});

describe("time that is no silence", () => {
  const WORKS = { type: "activity", isWorking: true } as const;

  it("is that of a tool which a foreign agent runs by itself, until its end is reported", async () => {
    const desk = await openDesk();
    playsEvents(desk, [MINUTE_MS, 12 * MINUTE_MS], (index) => ({ type: "activity", isWorking: index === 0 }));
    await desk.says("events");
    await desk.later(23 * MINUTE_MS - 1);
    expect(desk.heard()).toEqual([]);
    await desk.later(1);
    expect(desk.heard()).toEqual([STOPPED]);
  });

  it.each([
    ["an hour", {}, 60],
    ["the time that its agent's tools have at most", { budgets: { maxToolTimeoutSeconds: 1_200 } }, 20],
  ])("is that of a tool whose end is never reported for %s after its last report", async (_name, options, minutes) => {
    const desk = await openDesk(options);
    playsEvents(desk, [MINUTE_MS, 5 * MINUTE_MS], () => WORKS);
    await desk.says("events");
    await desk.later((6 + minutes + 10) * MINUTE_MS - 1);
    expect(desk.heard()).toEqual([]);
    await desk.later(1);
    expect(desk.heard()).toEqual([STOPPED]);
  });

  it("is that of a tool, which has a limit of its own", async () => {
    const desk = await openDesk();
    desk.plays(/^talk/, async () => {
      await new Promise<void>((resolve) => desk.ports.clock.schedule(9 * MINUTE_MS, resolve));
      return "said";
    });
    desk.plays(/^wait/, async ({ call }) => {
      const { childSessionKey: sessionKey } = readSpawned(await call("sessions_spawn", { task: "talk", label: "t" }));
      const { text } = await call("sessions_send", { sessionKey, message: "talk", timeoutSeconds: 3_600 });
      return text;
    });
    await desk.says("wait");
    await desk.later(17 * MINUTE_MS);
    expect(desk.heard()).toEqual([]);
    await desk.later(MINUTE_MS);
    expect(desk.heard()[0]).toMatch(/"status":"replied".*"said"/s);
  });

  it.each<[string, Player]>([
    ["of a question to a person about a tool", async ({ call }) => (await call("agents_list", {})).text],
    ["of a question that the runtime asks", async ({ input }) => (await input.askPermission(REQUEST)).kind],
  ])("is that %s; the ten minutes begin again with its end", async (_name, asks) => {
    const tools = { deny: [], ask: ["agents_list"] };
    const desk = await openDesk({ tools }, { options: { limits: { answerMinutes: 30 } } });
    desk.plays(/^ask/, async (turn) => {
      await asks(turn);
      return hangs(turn);
    });
    await desk.says("ask");
    await desk.later(25 * MINUTE_MS);
    expect(desk.heard()).toHaveLength(1);
    await desk.says("/answer 1");
    await desk.later(10 * MINUTE_MS - 1);
    expect(desk.heard()).not.toContain(STOPPED);
    await desk.later(1);
    expect(desk.heard().at(-1)).toBe(STOPPED);
  });
});
