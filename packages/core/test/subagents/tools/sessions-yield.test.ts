import { describe, expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";
import { createGate, dyingAt } from "./tool-desk.ts";

describe("sessions_yield", () => {
  it("ends the turn with its message, and nothing after it is said or done", async () => {
    const desk = await new TreeDesk().start();
    let later: unknown;
    desk.plays(/^hello/, async ({ call }) => {
      await call("sessions_yield", { message: "I am waiting." });
      later = await call("sessions_spawn", { task: "too late" });
      return "never said";
    });
    await desk.says("hello");
    expect(desk.heard()).toEqual(["I am waiting."]);
    expect(later).toMatchObject({ isError: true, text: expect.stringContaining("the turn is over") });
    expect(await desk.runs()).toEqual([]);
    expect(await desk.lines()).toEqual([
      "user: hello",
      "tool_call: sessions_yield",
      'tool_result: {"status":"yielded"}',
      "assistant: I am waiting.",
    ]);
    expect((await desk.transcript()).at(-1)?.stopReason).toBe("done");
  });

  it("ends it in silence without a message, and a completion wakes the session", async () => {
    const desk = await new TreeDesk().start();
    const gate = createGate();
    desk.plays(/^start/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      await call("sessions_yield", {});
      return "never said";
    });
    desk.plays(/^work/, gate.player);
    desk.plays(/“w” has finished/, () => "w is done");
    await desk.says("start");
    expect(desk.heard()).toEqual([]);
    gate.open();
    await desk.rest();
    expect(desk.heard()).toEqual(["w is done"]);
  });

  it("leaves a run waiting for its own sub-agents", async () => {
    const desk = await new TreeDesk().start();
    desk.plays(/^top/, async ({ call }) => {
      await call("sessions_spawn", { task: "middle", label: "m" });
      return "asked";
    });
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "leaf", label: "l" });
      await call("sessions_yield", {});
      return "never said";
    });
    desk.plays(/^leaf/, () => "42");
    desk.plays(/“l” has finished/, ({ input }) => `it is ${input.input[0]?.completion?.result}`);
    desk.plays(/“m” has finished/, ({ input }) => `m: ${input.input[0]?.completion?.result}`);
    await desk.says("top");
    expect(desk.heard()).toEqual(["asked", "m: it is 42"]);
  });

  it("ends it also where a tap has changed what the agent reads", async () => {
    const desk = await new TreeDesk().start();
    desk.gateway.hooks.after_tool_call.tap("censor", () => ({ text: "censored", isError: false }));
    desk.plays(/^hello/, async ({ call }) => {
      await call("sessions_yield", { message: "I am waiting." });
      return "never said";
    });
    await desk.says("hello");
    expect(desk.heard()).toEqual(["I am waiting."]);
    expect(await desk.lines()).toContain("tool_result: censored");
  });

  it("has ended the turn also where the process died before that was written", async () => {
    const first = await new TreeDesk({ fault: dyingAt(({ step }) => step === "commit_turn") }).start();
    first.plays(/^hello/, async ({ call }) => {
      await call("sessions_yield", { message: "I am waiting." });
      return "never said";
    });
    await first.says("hello");
    expect(first.heard()).toEqual([]);
    const second = new TreeDesk({ data: first.data });
    second.plays(/^hello/, () => "said a second time");
    await second.start();
    await second.rest();
    expect(second.heard()).toEqual(["I am waiting."]);
  });
});
