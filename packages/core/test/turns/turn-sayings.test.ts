import type { Saying, ToolResult } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { CoreDesk, type CoreDeskOptions } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

function sayingOf(text: string, files: Saying["files"] = []): ToolResult {
  return { text: "it is sent", isError: false, says: { text, files } };
}

/** An agent that sends a message for each word it hears, and then answers. */
async function openDesk(options: CoreDeskOptions = {}): Promise<CoreDesk> {
  const desk = await new CoreDesk(options).connect();
  desk.runTool = async ({ args }) => sayingOf(String(args));
  desk.runtime.play = async function* ({ input }) {
    const words = input.input[0]?.text.split(" ") ?? [];
    for (const [ordinal, args] of words.entries()) await input.callTool({ ordinal, name: "message", args });
    yield* says("done");
  };
  return desk;
}

it("what an agent sends by a tool goes out with the turn's end, before its answer, in the order of the calls", async () => {
  const desk = await openDesk();
  await desk.says("one two");
  expect(desk.heard()).toEqual(["one", "two", "done"]);
});

it("is sent once, and by the attempt that ends the turn, where an earlier one was cut off behind the call", async () => {
  const data = openTestData();
  const earlier = await openDesk({ data });
  earlier.runtime.play = async function* ({ input }) {
    await input.callTool({ ordinal: 0, name: "message", args: "one" });
    await new Promise(() => undefined);
    yield* says("never");
  };
  await earlier.says("one");
  await earlier.store.commit({ step: "recover", owner: "later" });
  const desk = await openDesk({ data });
  await desk.lanes.resume();
  await quiet();
  expect([earlier.heard(), desk.heard(), desk.ran]).toEqual([[], ["one", "done"], []]);
});

it("is sent also where the agent then fails, for it was told so", async () => {
  const desk = await openDesk();
  desk.runtime.play = async function* ({ input }) {
    await input.callTool({ ordinal: 0, name: "message", args: "one" });
    yield { type: "end", reason: "error", error: { isRetryable: false, message: "broken" } };
  };
  await desk.says("go");
  expect(desk.heard()).toEqual(["one", expect.stringContaining("broken")]);
});

it("passes the hook that answers pass, once each", async () => {
  const desk = await openDesk();
  desk.hooks.message_sending.tap("censor", ({ text }) =>
    text === "two" ? { cancel: "not this" } : { text: `${text}!` },
  );
  await desk.says("one two");
  expect(desk.heard()).toEqual(["one!", "done!"]);
});

it("holds no registered secret", async () => {
  const desk = await openDesk({ scrub: (text) => text.replaceAll("hunter2", "[secret]") });
  await desk.says("hunter2");
  expect(desk.heard()).toEqual(["[secret]", "done"]);
});

it("names its files where the channel takes none", async () => {
  const desk = await openDesk();
  desk.runTool = async () => sayingOf("look", [{ name: "a.txt", sizeBytes: 1, sha256: "" }]);
  await desk.says("go");
  expect(desk.heard()[0]).toMatch(/^look\n\n\(This chat can't receive files\. a\.txt is in the workspace/);
});
