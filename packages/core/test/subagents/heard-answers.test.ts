import { formatAddress } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { TreeDesk } from "./tree-desk.ts";

const THREAD = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove", thread: "7" });

interface TalkingDesk {
  readonly desk: TreeDesk;
  readonly leaf: PromiseWithResolvers<string>;
}

/** A sub-agent that asks one of its own whenever a person says please. */
async function openDesk(): Promise<TalkingDesk> {
  const desk = await new TreeDesk().start();
  const leaf = Promise.withResolvers<string>();
  desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
    status: "ok",
    threadBindingReady: true,
    binding: { id: bindingId, address: THREAD },
  }));
  desk.plays(/^middle/, () => "ready");
  desk.plays(/^please/, async ({ call }) => {
    await call("sessions_spawn", { task: "leaf", label: "x" });
    return "I asked x";
  });
  desk.plays(/^leaf/, () => leaf.promise);
  desk.plays(/“x”/, ({ input }) => `x found ${input.input[0]?.completion?.result}`);
  return { desk, leaf };
}

it("what a person asks a focused sub-agent for is told in that chat, in its own words", async () => {
  const { desk, leaf } = await openDesk();
  await desk.says("/spawn --label m middle");
  await desk.says("/focus m");
  await desk.says("please look");
  leaf.resolve("12 files");
  await desk.later(20 * 60_000);
  expect(desk.heard().slice(-2)).toEqual(["I asked x", "x found 12 files"]);
});

it("what was asked for in a focus that is over is told there by the host", async () => {
  const { desk, leaf } = await openDesk();
  await desk.says("/spawn --label m middle");
  await desk.says("/focus m");
  await desk.says("please look");
  await desk.says("/unfocus");
  leaf.resolve("12 files");
  await desk.later(20 * 60_000);
  expect(desk.heard().at(-1)).toMatch(/^✅ \*\*x\*\* .*\n\n12 files$/);
});

it("what was asked for in a thread that is free again is told there by the host", async () => {
  const { desk, leaf } = await openDesk();
  await desk.says("/spawn --thread --mode session --label m middle");
  await desk.saysAt(THREAD, "please look");
  await desk.saysAt(THREAD, "/unfocus");
  leaf.resolve("12 files");
  await desk.later(20 * 60_000);
  expect(desk.heardAt(THREAD).at(-1)).toMatch(/^✅ \*\*x\*\* .*\n\n12 files$/);
});

it("what a sub-agent asks for by itself stays inside, also where a person talks with it", async () => {
  const { desk, leaf } = await openDesk();
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
  const { desk } = await openDesk();
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
