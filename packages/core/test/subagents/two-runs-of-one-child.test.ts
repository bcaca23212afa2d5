import { describe, expect, it } from "vitest";
import { TreeDesk } from "./tree-desk.ts";

/** `m` waits for `x`, which is at work until `found` says so; then ada asks m how far it is. */
async function openDesk() {
  const [found, told] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const desk = await new TreeDesk().start();
  desk.plays(/^middle/, async ({ call }) => {
    await call("sessions_spawn", { task: "leaf", label: "x" });
    return "waiting";
  });
  desk.plays(/^leaf/, () => found.promise);
  desk.plays(/“x”/, () => "x is done");
  desk.plays(/^how far/, () => told.promise);
  await desk.says("/spawn --label m middle");
  await desk.says("/subagents send m how far?");
  const key = (await desk.runs())[0]?.childSessionKey ?? "";
  const record = async () => JSON.parse((await desk.store.read.session(key))?.body ?? "{}");
  return { desk, found, told, record };
}

describe("the record of a sub-agent that has two runs", () => {
  it("says that it works as long as one of them does", async () => {
    const { desk, found, told, record } = await openDesk();
    told.resolve("half way");
    await desk.rest();
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["waiting", "running", "ended"]);
    expect(await record()).toMatchObject({ status: "running" });
    expect(await record()).not.toHaveProperty("endedAt");
    found.resolve("a leaf");
    await desk.rest();
    expect(await record()).toMatchObject({ status: "done", endedAt: expect.any(Number) });
  });

  it("stays so when the other one is stopped", async () => {
    const { desk, record } = await openDesk();
    await desk.says("/kill 3");
    await desk.later(6_000);
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["waiting", "running", "ended"]);
    expect(await record()).toMatchObject({ status: "running" });
  });

  it("says that it was stopped when both are", async () => {
    const { desk, record } = await openDesk();
    await desk.says("/kill all");
    await desk.later(6_000);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["killed", "killed", "killed"]);
    expect(await record()).toMatchObject({ status: "killed", endedAt: expect.any(Number) });
  });
});
