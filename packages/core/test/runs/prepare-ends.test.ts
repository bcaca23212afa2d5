import { describe, expect, it } from "vitest";
import { ThreadAccount } from "../subagents/timers/thread-account.ts";
import { TreeDesk } from "../subagents/tree-desk.ts";
import { aborted } from "../turns/played-runtime.ts";

const LONG_MS = 30 * 60_000;

/** Trees may be three deep here, and “work” hangs. */
async function openDesk(): Promise<TreeDesk> {
  const main = { runtime: "played", workspace: "/workspace", tools: { deny: [] }, subagents: { maxSpawnDepth: 3 } };
  const desk = await new TreeDesk({ agents: { main }, threads: new ThreadAccount() }).start();
  return desk.plays(/^work/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
}

const endsOf = async (desk: TreeDesk) => (await desk.runs()).map(({ state, endedReason }) => endedReason ?? state);

describe("what is stopped with what is above it", () => {
  it("wakes the run that waits for it where that one goes on, having been asked for from elsewhere", async () => {
    const desk = await openDesk();
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "leaf", label: "l" });
      return "asked";
    });
    desk.plays(/^leaf/, () => "I am here");
    desk.plays(/^more/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "asked too";
    });
    desk.plays(/“w”/, () => "it was stopped");
    await desk.says("/spawn --label m middle");
    const [middle] = await desk.runs();
    await desk.says("/subagents send l more");
    expect(await endsOf(desk)).toEqual(["complete", "complete", "waiting", "running"]);
    const deleted = desk.gateway.operations["sessions-delete"]?.({ key: middle?.childSessionKey });
    await desk.later(1_000);
    await deleted;
    expect(await endsOf(desk)).toEqual(["complete", "complete", "complete", "killed"]);
    expect(desk.heard().at(-1)).toMatch(/^✅ \*\*l\*\* .*\n\nit was stopped$/s);
  });

  it("is told of nowhere where what had asked for it failed", async () => {
    const desk = await openDesk();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "middle", label: "m", thread: true });
      return "asked";
    });
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      throw new Error("model down");
    });
    desk.plays(/“m”/, () => "m failed");
    await desk.says("go");
    await desk.later(LONG_MS);
    expect(await endsOf(desk)).toEqual(["error", "killed"]);
    expect(desk.sent.map(({ text }) => text)).toEqual([
      "asked",
      expect.stringContaining("could not finish"),
      "m failed",
    ]);
  });
});
