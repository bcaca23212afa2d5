import { describe, expect, it } from "vitest";
import { ADA, TreeDesk } from "../tree-desk.ts";

/** A gateway whose first turn of `lose …` loses its lane at a fault point: to another process, which does not ask again. */
async function loseLaneAt(faultPoint: string): Promise<TreeDesk> {
  let step: "waits" | "loses" | "lost" = "waits";
  let epoch = 0;
  const desk: TreeDesk = new TreeDesk({
    faultPoint: (name) => {
      if (step !== "loses" || name !== faultPoint) return;
      step = "lost";
      void desk.store.commit({ step: "release", lane: ADA, epoch, giveBackAttempt: false });
    },
  });
  await desk.start();
  desk.plays(/^child/, () => "the child's answer");
  desk.plays(/^once more/, () => "the child's second answer");
  desk.plays(/^lose/, async ({ text, call }) => {
    if (step === "lost") return "";
    epoch = (await desk.store.read.lane(ADA))?.epoch ?? 0;
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
});
