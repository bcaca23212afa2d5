import { formatAddress } from "@banyan/plugin-sdk";
import type { Step } from "@banyan/plugin-sdk/store";
import { describe, expect, it } from "vitest";
import { aborted } from "../../turns/played-runtime.ts";
import { ADA, TreeDesk } from "../tree-desk.ts";

const THREAD = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove", thread: "7" });

/** A gateway whose first turn of `lose …` loses its lane at a fault point: to another process, which does not ask again. */
async function loseLaneAt(faultPoint: string): Promise<TreeDesk> {
  let step: "waits" | "loses" | "lost" = "waits";
  const desk: TreeDesk = new TreeDesk({
    faultPoint: (name) => {
      if (step !== "loses" || name !== faultPoint) return;
      step = "lost";
      const { epoch = 0 } = desk.data.lanes.get(ADA) ?? {};
      void desk.store.commit({ step: "release", lane: ADA, epoch, giveBackAttempt: false });
    },
  });
  await desk.start();
  desk.plays(/^child/, () => "the child's answer");
  desk.plays(/^once more/, () => "the child's second answer");
  desk.plays(/^lose/, async ({ text, call }) => {
    if (step === "lost") return "";
    step = "loses";
    const [run] = await desk.runs();
    await (text.includes("send")
      ? call("sessions_send", { sessionKey: run?.childSessionKey, message: "once more", timeoutSeconds: 0 })
      : call("sessions_spawn", { task: "child", label: "two" }));
    return "";
  });
  desk.plays(/^spawn/, async ({ call }) => {
    await call("sessions_spawn", { task: "child", label: "one" });
    return "";
  });
  return desk;
}

describe("a turn that has lost its lane to another process", () => {
  it.each([
    ["T1a.before", []],
    ["T1.before", ["spawn-failed"]],
  ])("spawns nothing any more (%s)", async (faultPoint, ends) => {
    const desk = await loseLaneAt(faultPoint);
    await desk.says("lose");
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(ends);
    expect(desk.turns.filter(({ turnId }) => !turnId.startsWith(ADA))).toEqual([]);
  });

  it.each([
    ["T1a.before", ["complete"]],
    ["T1.before", ["complete", "spawn-failed"]],
  ])("sends a sub-agent nothing any more (%s)", async (faultPoint, ends) => {
    const desk = await loseLaneAt(faultPoint);
    await desk.says("spawn");
    await desk.says("lose what you send");
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(ends);
    expect(desk.turns.filter(({ turnId }) => !turnId.startsWith(ADA))).toHaveLength(1);
  });

  it.each([
    ["steer", "enqueue", { action: "steer", target: "one", text: "faster" }],
    ["send", "enqueue", { action: "send", target: "one", text: "faster" }],
    ["kill", "end_runs", { action: "kill", target: "one" }],
  ] as const)("directs no sub-agent any more (%s)", async (_action, step, args) => {
    const { desk, loses } = await openLosing(step);
    desk.plays(/^spawn/, async ({ call }) => {
      await call("sessions_spawn", { task: "child", label: "one", mode: "session", thread: true });
      return "";
    });
    desk.plays(/^lose/, async ({ call }) => {
      if (loses()) await call("subagents", args);
      return "";
    });
    await desk.says("spawn");
    await desk.says("lose");
    expect(desk.steps.some((sent) => sent.step === step)).toBe(true);
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["running"]);
    const [child] = await desk.runs();
    expect(await desk.store.read.lane(child?.childSessionKey ?? "")).toMatchObject({ waiting: 0 });
    // One that was stopped for the kill runs again.
    const childTurns = desk.turns.map(({ turnId }) => turnId).filter((turnId) => !turnId.startsWith(ADA));
    expect(new Set(childTurns).size).toBe(1);
  });
});

/** A gateway whose turn, once it `loses`, has lost its lane to another process by the time that it sends this step. */
async function openLosing(step: Step["step"]): Promise<{ readonly desk: TreeDesk; loses(): boolean }> {
  let state: "waits" | "loses" | "lost" = "waits";
  const desk: TreeDesk = new TreeDesk({
    fault: (sent, when) => {
      if (state !== "loses" || when !== "before" || sent.step !== step) return "none";
      state = "lost";
      const { epoch = 0 } = desk.data.lanes.get(ADA) ?? {};
      void desk.store.commit({ step: "release", lane: ADA, epoch, giveBackAttempt: false });
      return "none";
    },
  });
  await desk.start();
  desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
    status: "ok",
    threadBindingReady: true,
    binding: { id: bindingId, address: THREAD },
  }));
  desk.plays(/^child/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  return {
    desk,
    loses: () => {
      const isFirst = state === "waits";
      if (isFirst) state = "loses";
      return isFirst;
    },
  };
}
