import { describe, expect, it } from "vitest";
import { TreeDesk } from "../subagents/tree-desk.ts";

/** A chain of three: the middle one is not waited for, and who asked for it is done. */
async function openChain(): Promise<TreeDesk> {
  const desk = await new TreeDesk().start();
  const asksFor = (task: string) => ({ task, label: task, expectsCompletionMessage: false });
  desk.plays(/^top/, async ({ call }) => {
    await call("sessions_spawn", asksFor("middle"));
    return "asked";
  });
  desk.plays(/^middle/, async ({ call }) => {
    await call("sessions_spawn", asksFor("leaf"));
    return "asked too";
  });
  desk.plays(/^leaf/, ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(""))));
  await desk.says("top");
  return desk;
}

const endsOf = async (desk: TreeDesk) => (await desk.runs()).map(({ state, endedReason }) => endedReason ?? state);

describe("what is at work below a session", () => {
  it("ends with its conversation, also where what had asked for it has ended", async () => {
    const desk = await openChain();
    expect(await endsOf(desk)).toEqual(["complete", "running"]);
    await desk.says("/new");
    expect(await endsOf(desk)).toEqual(["complete", "killed"]);
  });

  it("is left alone where another run of the session is stopped, and wakes the one that waits for it", async () => {
    const desk = await new TreeDesk().start();
    const hang = (signal: AbortSignal) =>
      new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("")));
    desk.plays(/^(work|more)/, ({ signal }) => hang(signal));
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "asked";
    });
    desk.plays(/“w”/, () => "it was stopped");
    await desk.says("/spawn --label m middle");
    await desk.says("/subagents send 1 more");
    const [, , sent] = await desk.runs();
    await desk.says(`/kill ${sent?.runId}`);
    expect(await endsOf(desk)).toEqual(["waiting", "running", "killed"]);
    await desk.says("/kill w");
    expect(await endsOf(desk)).toEqual(["complete", "killed", "killed"]);
    expect(desk.heard().some((text) => text.endsWith("it was stopped"))).toBe(true);
  });
});
