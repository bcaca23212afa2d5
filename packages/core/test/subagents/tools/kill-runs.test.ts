import { formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";
import { ask, createGate, spawn } from "./tool-desk.ts";

const THREAD = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove", thread: "7" });

const direct = (desk: TreeDesk, args: object) => ask(desk, "subagents", args);

describe("subagents kill", () => {
  it("stops one with what is below it, and its requester is told once", async () => {
    const desk = await new TreeDesk().start();
    const gate = createGate();
    desk.plays(/^below/, gate.player);
    const { runId } = await spawn(desk, "top", async ({ call }) => {
      await call("sessions_spawn", { task: "below", label: "below" });
      return "waiting";
    });
    desk.plays(/“top”/, ({ input }) => `it ${input.input[0]?.completion?.outcome}`);
    expect(await direct(desk, { action: "kill", target: "top" })).toMatchObject({
      status: "ok",
      killed: 2,
      runs: [
        { number: 1, runId, state: "killed" },
        { number: 2, label: "below", state: "killed" },
      ],
    });
    expect((await desk.runs())[0]).toMatchObject({ endedReason: "killed" });
    expect(JSON.parse((await desk.runs())[0]?.result ?? "{}").error).toBe("It was stopped by its requester.");
    expect(desk.heard().slice(-2)).toEqual(["asked", "it killed"]);
    gate.open();
    await desk.rest();
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["killed", "killed"]);
  });

  it("stops all, and leaves what has ended as it is", async () => {
    const desk = await new TreeDesk().start();
    const gate = createGate();
    const { runId } = await spawn(desk, "docs");
    for (const label of ["a", "b"]) await spawn(desk, `slow ${label}`, gate.player);
    expect(await direct(desk, { action: "kill", target: runId })).toMatchObject({
      killed: 0,
      runs: [{ state: "done" }],
      note: expect.any(String),
    });
    expect((await direct(desk, { action: "kill", target: "all" })).killed).toBe(2);
    expect((await direct(desk, { action: "kill", target: "all" })).killed).toBe(0);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["complete", "killed", "killed"]);
  });

  it("stops what one whose task is done answers in its thread, with all that it has asked for there", async () => {
    const desk = await new TreeDesk().start();
    const gate = createGate();
    desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
      status: "ok",
      threadBindingReady: true,
      binding: { id: bindingId, address: THREAD },
    }));
    const { key } = await spawn(desk, "guide", () => "ready", { thread: true, mode: "session" });
    desk.plays(/^below/, gate.player).plays(/^please/, async ({ call, ...turn }) => {
      await call("sessions_spawn", { task: "below", label: "below" });
      return gate.player({ call, ...turn });
    });
    await desk.saysAt(THREAD, "please look");
    expect((await desk.store.read.lane(key)).active).toHaveLength(1);
    expect(await direct(desk, { action: "kill", target: "guide" })).toMatchObject({
      status: "ok",
      killed: 1,
      runs: [{ state: "done" }, { label: "below", state: "killed" }],
      note: expect.stringContaining("in its thread was stopped"),
    });
    expect(await desk.store.read.lane(key)).toMatchObject({ active: [], waiting: 0 });
    expect((await desk.lines(key)).filter((line) => line.startsWith("user"))).toContain("user: please look");
    // Its task, and the answer that was stopped.
    expect(JSON.parse((await desk.store.read.session(key))?.body ?? "")).toMatchObject({ dayUsage: { turns: 2 } });
  });
});
