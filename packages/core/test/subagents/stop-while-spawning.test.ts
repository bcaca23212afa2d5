import { describe, expect, it } from "vitest";
import { THREAD } from "./commands/focus-desk.ts";
import { TreeDesk } from "./tree-desk.ts";

describe("/stop while a sub-agent's thread is being opened", () => {
  it("leaves no sub-agent behind: its turn was told that it failed", async () => {
    const opened = Promise.withResolvers<void>();
    const desk = await new TreeDesk().start();
    desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => {
      await opened.promise;
      return { status: "ok", threadBindingReady: true, binding: { id: bindingId, address: THREAD } };
    });
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", thread: true, mode: "run" });
      return "asked";
    });
    await desk.says("go");
    await desk.says("/stop");
    await desk.later(6_000);
    opened.resolve();
    await desk.later(20 * 60_000);
    expect((await desk.runs()).map(({ endedReason, settledBy }) => [endedReason, settledBy])).toEqual([
      ["spawn-failed", "nobody"],
    ]);
    expect(desk.heard()).toEqual(["Stopped. What was said so far is kept."]);
    expect(desk.turns).toHaveLength(1);
    expect((await desk.store.read.routes()).bindings).toEqual([]);
  });
});
