import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { CoreDesk, type CoreDeskOptions } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

/** A turn on "hello" that has used 320 tokens and is given back. */
async function giveBackSpent(options: CoreDeskOptions): Promise<void> {
  const earlier = await new CoreDesk(options).connect();
  earlier.runtime.play = async function* () {
    yield { type: "usage", usage: { inputTokens: 300, outputTokens: 20 } };
    await new Promise(() => undefined);
  };
  await earlier.says("hello");
  const releasing = earlier.turns.releaseAll();
  await earlier.ports.clock.advance(10_000);
  await releasing;
}

it("a tool call that was written down is known after an orderly stop, though that gave the attempt back", async () => {
  const data = openTestData();
  const earlier = await new CoreDesk({ data }).connect();
  earlier.runtime.play = async function* ({ input }) {
    await input.callTool({ ordinal: 0, name: "read", args: {} });
    await new Promise(() => undefined);
    yield* says("never");
  };
  await earlier.says("hello");
  const releasing = earlier.turns.releaseAll();
  await earlier.ports.clock.advance(10_000);
  await releasing;
  const desk = await new CoreDesk({ data }).connect();
  desk.runtime.play = async function* ({ input }) {
    yield* says(`attempt ${input.attempt} knows: ${input.committedCalls[0]?.result.text}`);
  };
  await desk.lanes.resume();
  await quiet();
  expect(desk.heard()).toEqual(["attempt 1 knows: read ran"]);
  expect((await desk.lines()).filter((line) => line.startsWith("user"))).toEqual(["user: hello"]);
});

it("what it had used counts, though it is done again", async () => {
  const data = openTestData();
  await giveBackSpent({ data });
  const desk = await new CoreDesk({ data }).connect();
  desk.runtime.play = async function* () {
    yield { type: "text", delta: "done" };
    yield { type: "end", reason: "done", usage: { inputTokens: 500, outputTokens: 30 } };
  };
  await desk.lanes.resume();
  await quiet();
  await desk.receive([desk.message("/status", { id: "later" })]);
  await quiet();
  expect(desk.heard().at(-1)).toContain("850 tokens");
  expect(await desk.lines()).toEqual(["user: hello", "usage: ", "assistant: done"]);
});

it("an attempt that cannot write down what it had used is given back all the same", async () => {
  const data = openTestData();
  await giveBackSpent({ data, fault: ({ step }) => (step === "tool_result" ? "full" : "none") });
  const desk = await new CoreDesk({ data }).connect();
  desk.runtime.play = async function* ({ input }) {
    yield* says(`attempt ${input.attempt}`);
  };
  await desk.lanes.resume();
  await quiet();
  expect(desk.heard()).toEqual(["attempt 1"]);
});

it("and also where a new conversation was begun before it ran again", async () => {
  const data = openTestData();
  const earlier = await new CoreDesk({ data }).connect();
  earlier.runtime.play = async function* ({ input }) {
    await input.callTool({ ordinal: 0, name: "read", args: {} });
    await new Promise(() => undefined);
    yield* says("never");
  };
  await earlier.says("hello");
  await earlier.store.commit({ step: "recover", owner: "later" });
  const between = new CoreDesk({ data });
  await between.lanes.close();
  await between.receive([between.message("/new", { id: "later" })]);
  // It is first waited for that the turn begins again, which it does not here.
  await between.ports.clock.advance(6_000);
  const desk = await new CoreDesk({ data }).connect();
  desk.runtime.play = async function* ({ input }) {
    yield* says(`knows: ${input.committedCalls[0]?.result.text}`);
  };
  await desk.lanes.resume();
  await quiet();
  expect(desk.heard().at(-1)).toBe("knows: read ran");
  expect(await desk.lines()).toEqual(["user: hello", "assistant: knows: read ran"]);
});

it("a new message asks the store for nothing that an earlier attempt may have left", async () => {
  const desk = await new CoreDesk().connect();
  let reads = 0;
  const { entriesOfItem } = desk.store.read;
  Object.assign(desk.store.read, {
    entriesOfItem: (query: Parameters<typeof entriesOfItem>[0]) => {
      reads += 1;
      return entriesOfItem(query);
    },
  });
  await desk.says("hello");
  expect([desk.heard(), reads]).toEqual([["re: hello"], 0]);
});
