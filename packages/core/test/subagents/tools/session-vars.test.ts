import { describe, expect, it } from "vitest";
import { openTestData } from "../../open-test-store.ts";
import { createTestPorts } from "../../ports/test-ports.ts";
import { ADA, TreeDesk } from "../tree-desk.ts";
import { ask, BOB, dyingAt } from "./tool-desk.ts";

async function kept(desk: TreeDesk, key = ADA): Promise<unknown> {
  return JSON.parse((await desk.store.read.session(key))?.body ?? "{}").variables;
}

describe("session_vars", () => {
  it("keeps values by name from turn to turn, for this session alone", async () => {
    const desk = await new TreeDesk().start();
    const set = { tree: "fig", roots: [1, { deep: true }], gone: 1 };
    expect(await ask(desk, "session_vars", { set })).toMatchObject({ status: "ok", set: ["tree", "roots", "gone"] });
    expect(await ask(desk, "session_vars", { set: { gone: null }, get: ["tree", "gone", "never"] })).toMatchObject({
      variables: { tree: "fig", gone: null, never: null },
    });
    expect(await ask(desk, "session_vars", {})).toMatchObject({
      variables: { tree: "fig", roots: [1, { deep: true }] },
    });
    expect(await kept(desk)).toEqual({ tree: "fig", roots: [1, { deep: true }] });
    expect(await ask(desk, "session_vars", {}, "bob")).toMatchObject({ status: "ok", variables: {} });
    expect(await kept(desk, BOB)).toBeUndefined();
    await desk.says("/new");
    expect(await ask(desk, "session_vars", {})).toMatchObject({ variables: {} });
  });

  it("stands beside the figures of the turn that sets them", async () => {
    const desk = await new TreeDesk().start();
    await ask(desk, "session_vars", { set: { tree: "fig" } });
    expect(JSON.parse((await desk.store.read.session(ADA))?.body ?? "{}")).toMatchObject({
      variables: { tree: "fig" },
      messageCount: 2,
      toolCallCount: 1,
    });
  });

  it("takes no more than 64 KiB in all, and then leaves what was", async () => {
    const desk = await new TreeDesk().start();
    await ask(desk, "session_vars", { set: { one: "x".repeat(40_000) } });
    const told = await ask(desk, "session_vars", { set: { two: "y".repeat(40_000) } });
    expect(told).toMatchObject({ status: "error", isError: true });
    expect(told.error).toMatch(/^Variables of a session: that is too much, received 80\d{3} bytes .* 65536 are kept/);
    expect(Object.keys(Object(await kept(desk)))).toEqual(["one"]);
    expect(await ask(desk, "session_vars", { set: { one: null, two: "y".repeat(40_000) } })).toMatchObject({
      status: "ok",
    });
  });

  it("says what it takes", async () => {
    const desk = await new TreeDesk().start();
    expect((await ask(desk, "session_vars", { put: 1 })).error).toContain("It takes get (optional), set (optional).");
  });

  it("sets the same again where the process died before the result was written", async () => {
    const data = openTestData();
    const ports = createTestPorts();
    const play = (desk: TreeDesk) =>
      desk.plays(/^count/, async ({ call }) => (await call("session_vars", { set: { n: 1 }, get: ["n"] })).text);
    const first = play(
      new TreeDesk({ data, ports, fault: dyingAt(({ step }, when) => step === "tool_result" && when === "before") }),
    );
    await first.start();
    await first.says("count");
    expect(first.steps.map(({ step }) => step)).toContain("write_session");
    const second = play(new TreeDesk({ data, ports }));
    await second.start();
    await second.rest();
    expect(await kept(second)).toEqual({ n: 1 });
    expect(second.heard()).toEqual(['{"status":"ok","set":["n"],"variables":{"n":1}}']);
  });
});
