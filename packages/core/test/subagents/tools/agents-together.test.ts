import { describe, expect, it } from "vitest";
import type { SessionToolsInput } from "../../../src/config/shapes/session-tools-config.ts";
import { TreeDesk } from "../tree-desk.ts";
import { ADA, ask, createGate, readTold, spawn, type Told } from "./tool-desk.ts";

const agent = { runtime: "played", workspace: "/workspace", tools: { deny: [] } };
const agents = { main: { ...agent, subagents: { allowAgents: ["coding"] } }, coding: agent };

describe("a session and those of another agent", () => {
  it("sees and directs what it has spawned itself, and is not seen by it", async () => {
    const desk = await new TreeDesk({ agents }).start();
    let told: Told | undefined;
    let listed: Told | undefined;
    const { key } = await spawn(
      desk,
      "code",
      async ({ call }) => {
        told = readTold(await call("sessions_history", { sessionKey: ADA }));
        listed = readTold(await call("sessions_list", {}));
        return "coded";
      },
      { agentId: "coding" },
    );
    expect(key).toMatch(/^agent:coding:subagent:/);
    expect(told).toMatchObject({ status: "error", error: expect.stringContaining("no such session for you") });
    expect(listed?.sessions?.map(({ sessionKey }) => sessionKey)).toEqual([key]);
    expect((await ask(desk, "sessions_history", { sessionKey: key })).status).toBe("ok");
    expect((await ask(desk, "subagents", { action: "list" })).runs).toMatchObject([{ label: "code", state: "done" }]);
  });

  it.each([
    [{ visibility: "tree", agentToAgent: { enabled: true, allow: ["main", "coding"] } }, "ok"],
    [{ visibility: "tree", agentToAgent: { enabled: true, allow: ["coding"] } }, "error"],
    [{ visibility: "tree", agentToAgent: { enabled: false, allow: ["*"] } }, "error"],
  ] as const)(
    "is opened to it by the operator's word: %j gives %s",
    async (sessionTools: SessionToolsInput, status) => {
      const desk = await new TreeDesk({ agents, options: { sessionTools } }).start();
      let told: Told | undefined;
      const read = async ({ call }: Parameters<Parameters<TreeDesk["plays"]>[1]>[0]) => {
        told = readTold(await call("session_status", { sessionKey: ADA }));
        return "looked";
      };
      await spawn(desk, "code", read, { agentId: "coding" });
      expect(told?.status).toBe(status);
    },
  );
});

describe("sessions that wait for each other", () => {
  it("are both let go when the time is over", async () => {
    const desk = await new TreeDesk().start();
    const told: Told[] = [];
    desk.plays(/^up/, async ({ call }) => {
      told.push(
        readTold(await call("sessions_send", { sessionKey: ADA, message: "are you there?", timeoutSeconds: 20 })),
      );
      return "went up";
    });
    desk.plays(/^begin/, async ({ call }) => {
      await call("sessions_spawn", { task: "up", label: "child" });
      told.push(readTold(await call("subagents", { action: "wait", timeoutSeconds: 10 })));
      return "begun";
    });
    await desk.says("begin");
    expect(told).toEqual([]);
    await desk.ports.clock.advance(10_000);
    expect(told.map(({ status }) => status)).toEqual(["timeout", "replied"]);
    await desk.ports.clock.advance(10_000);
    expect(desk.heard()[0]).toBe("begun");
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["ended"]);
  });
});

describe("a message whose run is stopped", () => {
  it("is answered with that", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "docs");
    const gate = createGate();
    desk.plays(/^long/, gate.player);
    let told: Told | undefined;
    desk.plays(/^ask it/, async ({ call }) => {
      told = readTold(await call("sessions_send", { sessionKey: key, message: "long" }));
      return "asked it";
    });
    await desk.says("ask it");
    expect(told).toBeUndefined();
    await desk.says("/kill all");
    await desk.ports.clock.advance(2_000);
    expect(told).toMatchObject({
      status: "error",
      runId: expect.any(String),
      error: expect.stringContaining("killed"),
    });
  });
});
