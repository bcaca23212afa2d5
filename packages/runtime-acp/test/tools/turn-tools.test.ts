import type { CommittedToolCall, ToolResult } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { TurnDesk } from "@banyan/plugin-sdk/runtime/suite";
import { expect, test } from "vitest";
import { createTurnTools, findFirstOrdinal } from "../../src/tools/turn-tools.ts";

/** A turn whose calls end when they are told to; `made` are those that reached it. */
function createTurn(committedCalls: readonly CommittedToolCall[] = []) {
  const made: { readonly name: string; readonly end: PromiseWithResolvers<ToolResult> }[] = [];
  const giveUp = new AbortController();
  const turn: LiveTurn = {
    input: { ...new TurnDesk().turn("hello"), committedCalls },
    signal: giveUp.signal,
    say: async () => undefined,
    waitFor: (promise) => promise,
    noteActivity: () => undefined,
    reportUsage: () => undefined,
    reportModel: () => undefined,
    callTool(name) {
      const end = Promise.withResolvers<ToolResult>();
      made.push({ name, end });
      return end.promise;
    },
  };
  return { made, giveUp, tools: createTurnTools(turn) };
}

const committed = (ordinal: number, name: string, args: unknown): CommittedToolCall => ({
  ordinal,
  name,
  args,
  result: { text: `${name} ${ordinal}`, isError: false },
});

test("a call waits for the one before it, also for one that fails", async () => {
  const { made, tools } = createTurn();
  const first = tools.call("one", {});
  const second = tools.call("two", {});
  await Promise.resolve();
  await Promise.resolve();
  expect(made.map(({ name }) => name)).toEqual(["one"]);
  made[0]?.end.reject(new Error("lane lost"));
  await expect(first).rejects.toThrow("lane lost");
  await expect.poll(() => made.length).toBe(2);
  made[1]?.end.resolve({ text: "done", isError: false });
  expect((await second).text).toBe("done");
});

test("a call like one that an earlier attempt committed has its result, once for each", async () => {
  const earlier = [
    committed(0, "spawn", { task: "a" }),
    committed(1, "spawn", { task: "a" }),
    committed(2, "list", {}),
  ];
  const { made, tools } = createTurn(earlier);
  expect((await tools.call("spawn", { task: "a" })).text).toBe("spawn 0");
  expect((await tools.call("spawn", { task: "a" })).text).toBe("spawn 1");
  expect(made).toEqual([]);
  const third = tools.call("spawn", { task: "a" });
  await expect.poll(() => made.length).toBe(1);
  made[0]?.end.resolve({ text: "new", isError: false });
  expect((await third).text).toBe("new");
});

test("a call that waits is not made when the turn is stopped meanwhile", async () => {
  const { made, giveUp, tools } = createTurn();
  const first = tools.call("one", {});
  const second = tools.call("two", {});
  await expect.poll(() => made.length).toBe(1);
  giveUp.abort(new Error("the turn was stopped"));
  made[0]?.end.resolve({ text: "done", isError: false });
  await first;
  await expect(second).rejects.toThrow("the turn was stopped");
  expect(made).toHaveLength(1);
});

test("new calls are numbered behind the committed ones, whatever their order", () => {
  expect(findFirstOrdinal([])).toBe(0);
  expect(findFirstOrdinal([committed(3, "a", {}), committed(1, "b", {})])).toBe(4);
});
