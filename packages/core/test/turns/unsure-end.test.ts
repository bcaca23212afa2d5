import { describe, expect, it } from "vitest";
import { TreeDesk } from "../subagents/tree-desk.ts";

describe("a turn's end of which the store does not say that it was written", () => {
  it("wakes who asked for what it was about, all the same", async () => {
    let isLost = false;
    const desk = await new TreeDesk({
      fault(step, when) {
        if (when === "before" || step.step !== "commit_turn" || step.run?.mayWait !== true || isLost) return "none";
        isLost = true;
        return "commit_unknown";
      },
    }).start();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "asked";
    });
    const work = Promise.withResolvers<string>();
    desk.plays(/^work/, () => work.promise);
    desk.plays(/sub-agent/, ({ input }) => `it says ${input.input[0]?.completion?.result}`);
    await desk.says("go");
    expect(desk.heard()).toEqual(["asked"]);
    work.resolve("the result");
    await desk.rest();
    expect(isLost).toBe(true);
    expect(desk.heard()).toEqual(["asked", "it says the result"]);
  });
});
