import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { TreeDesk } from "../subagents/tree-desk.ts";
import { CoreDesk } from "./core-desk.ts";
import { createPlayedRuntime, type PlayedRuntime } from "./played-runtime.ts";

const KEPT = "Your message is kept; write again to continue.";

describe("a runtime that does not open", () => {
  const late = (limitS: number) =>
    `⚠ The agent could not finish: The runtime played was opened: it was not ready after ${limitS} s; see whether all that it needs is there. ${KEPT}`;
  const hangs = () => new Promise<never>(() => undefined);

  it.each<[string, Partial<Pick<CoreDesk, "getRuntime">>, Partial<PlayedRuntime>, number]>([
    ["ten seconds", {}, { open: hangs }, 10],
    ["ten seconds, also where it is not even loaded", { getRuntime: hangs }, {}, 10],
    ["the time that it asks for", {}, { open: hangs, openTimeoutMs: 20_000 }, 20],
    ["thirty seconds, however much it asks for", {}, { open: hangs, openTimeoutMs: 99_000 }, 30],
  ])("is waited for %s, and the next message is answered", async (_name, broken, runtime, limitS) => {
    const desk = await new CoreDesk().connect();
    const { getRuntime } = desk;
    const { open } = desk.runtime;
    Object.assign(desk, broken);
    Object.assign(desk.runtime, runtime);
    await desk.says("hello");
    await desk.ports.clock.advance(limitS * 1_000 - 1);
    expect(desk.heard()).toEqual([]);
    await desk.ports.clock.advance(1);
    expect(desk.heard()).toEqual([late(limitS)]);
    Object.assign(desk, { getRuntime });
    Object.assign(desk.runtime, { open });
    await desk.says("again");
    expect(desk.heard().at(-1)).toBe("re: again");
  });

  it("is told that nobody waits, and closed when it opens all the same", async () => {
    const desk = await new CoreDesk().connect();
    const { open } = desk.runtime;
    const gate = Promise.withResolvers<void>();
    let told: AbortSignal | undefined;
    desk.runtime.open = async (spec, host, signal) => {
      told = signal;
      await gate.promise;
      return open(spec, host, signal);
    };
    await desk.says("hello");
    await desk.ports.clock.advance(10_000);
    expect([told?.aborted, desk.runtime.closed]).toEqual([true, 0]);
    gate.resolve();
    await quiet();
    expect([desk.runtime.closed, desk.runtime.turns.length, desk.heard().length]).toEqual([1, 0, 1]);
  });

  it("but in time is used, and no clock runs on", async () => {
    const desk = await new CoreDesk().connect();
    const { open } = desk.runtime;
    const gate = Promise.withResolvers<void>();
    desk.runtime.open = (...given) => gate.promise.then(() => open(...given));
    await desk.says("hello");
    await desk.ports.clock.advance(9_999);
    gate.resolve();
    await quiet();
    await desk.ports.clock.advance(60_000);
    expect([desk.heard(), desk.runtime.closed]).toEqual([["re: hello"], 1]);
  });

  it("can be stopped", async () => {
    const desk = await new CoreDesk().connect();
    desk.runtime.open = hangs;
    await desk.says("hello");
    await desk.says("/stop");
    await quiet();
    expect(desk.heard()).toEqual([expect.stringMatching(/^Stopped/)]);
    expect(desk.ports.logged).not.toContainEqual(expect.objectContaining({ message: "a runtime failed" }));
  });
});

it("a sub-agent whose runtime does not open fails after ten seconds, and its requester is told", async () => {
  const played = createPlayedRuntime();
  const stuck = { ...createPlayedRuntime(), open: () => new Promise<never>(() => undefined) };
  const desk = await new TreeDesk({
    agents: {
      main: { runtime: "played", workspace: "/workspace", tools: { deny: [] }, subagents: { allowAgents: ["slow"] } },
      slow: { runtime: "stuck", workspace: "/workspace", tools: { deny: [] } },
    },
    options: { runtimes: { played: async () => played, stuck: async () => stuck } },
  }).start();
  await desk.says("/spawn --agent slow --label nap sleep");
  await desk.later(9_999);
  expect(desk.heard()).toEqual([expect.stringContaining("is at work")]);
  await desk.later(1);
  expect(desk.heard()[1]).toMatch(/\*\*nap\*\* · failed after 10 s[\s\S]*was not ready after 10 s; see whether/);
});
