import { expect, it } from "vitest";
import { buildThread, openAskingChild } from "./asking-child-desk.ts";

const THREAD = buildThread("grove", "7");

it("what a person asks a focused sub-agent for is told in that chat, in its own words", async () => {
  const { desk, leaf } = await openAskingChild(THREAD);
  await desk.says("/spawn --label m middle");
  await desk.says("/focus m");
  await desk.says("please look");
  leaf.resolve("12 files");
  await desk.later(20 * 60_000);
  expect(desk.heard().slice(-2)).toEqual(["I asked x", "x found 12 files"]);
});

it("what was asked for in a focus that is over is told there by the host", async () => {
  const { desk, leaf } = await openAskingChild(THREAD);
  await desk.says("/spawn --label m middle");
  await desk.says("/focus m");
  await desk.says("please look");
  await desk.says("/unfocus");
  leaf.resolve("12 files");
  await desk.later(20 * 60_000);
  expect(desk.heard().at(-1)).toMatch(/^✅ \*\*x\*\* .*\n\n12 files$/);
});

it("what was asked for in a thread that is free again is told there by the host", async () => {
  const { desk, leaf } = await openAskingChild(THREAD);
  await desk.says("/spawn --thread --mode session --label m middle");
  await desk.saysAt(THREAD, "please look");
  await desk.saysAt(THREAD, "/unfocus");
  leaf.resolve("12 files");
  await desk.later(20 * 60_000);
  expect(desk.heardAt(THREAD).at(-1)).toMatch(/^✅ \*\*x\*\* .*\n\n12 files$/);
});

it("what a sub-agent asks for by itself stays inside, also where a person talks with it", async () => {
  const { desk, leaf } = await openAskingChild(THREAD);
  const middle = Promise.withResolvers<string>();
  desk.plays(/^middle/, async ({ call }) => {
    await call("sessions_spawn", { task: "leaf", label: "x" });
    return middle.promise;
  });
  await desk.says("/spawn --label m middle");
  await desk.says("/focus m");
  middle.resolve("I asked x");
  leaf.resolve("12 files");
  await desk.later(20 * 60_000);
  expect(desk.heard().slice(2)).toEqual([expect.stringMatching(/^✅ \*\*m\*\* .*\n\nx found 12 files$/)]);
});

it("what a person asked for in a focus is told of there when it is stopped with the sub-agent", async () => {
  const { desk } = await openAskingChild(THREAD);
  const middle = Promise.withResolvers<string>();
  desk.plays(/^middle/, () => middle.promise);
  await desk.says("/spawn --label m middle");
  await desk.says("/focus m");
  await desk.says("/spawn --label x leaf");
  await desk.says("/unfocus");
  await desk.says("/kill m");
  await desk.later(30_000);
  expect(desk.heard().slice(-2)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^⏹ \*\*x\*\* /), expect.stringContaining("**m**")]),
  );
});

it("what was asked for in a focus is told there, and not in the thread that the sub-agent has besides", async () => {
  const { desk, leaf } = await openAskingChild(THREAD);
  await desk.says("/spawn --thread --mode session --label m middle");
  await desk.says("/focus m");
  await desk.says("please look");
  leaf.resolve("12 files");
  await desk.rest();
  expect(desk.heard().at(-1)).toBe("x found 12 files");
  expect(desk.heardAt(THREAD).some((text) => text.includes("12 files"))).toBe(false);
});
