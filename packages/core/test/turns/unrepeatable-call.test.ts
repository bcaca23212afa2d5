import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { CoreDesk } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

it("a turn that was cut off while something ran that cannot be repeated does not run it again, and says so", async () => {
  const data = openTestData();
  const earlier = await new CoreDesk({ data }).connect();
  earlier.runTool = () => new Promise(() => undefined);
  earlier.runtime.play = async function* ({ input }) {
    await input.callTool({ ordinal: 0, name: "once_pay", args: {} });
    yield* says("never");
  };
  await earlier.says("pay the bill");
  await earlier.store.commit({ step: "recover", owner: "later" });
  const desk = await new CoreDesk({ data }).connect();
  await desk.lanes.resume();
  await quiet();
  expect([desk.ran, desk.runtime.turns]).toEqual([[], []]);
  expect(desk.heard()).toEqual([
    "⚠ Your message “pay the bill” was not finished: the agent was cut off while once_pay ran, which cannot be repeated. Look at what it has done, then write again.",
  ]);
  await desk.receive([desk.message("again", { id: "later" })]);
  expect(desk.heard().at(-1)).toBe("re: again");
});

it("one that came to its end is known like any other", async () => {
  const data = openTestData();
  const earlier = await new CoreDesk({ data }).connect();
  earlier.runtime.play = async function* ({ input }) {
    await input.callTool({ ordinal: 0, name: "once_pay", args: {} });
    await new Promise(() => undefined);
    yield* says("never");
  };
  await earlier.says("pay the bill");
  await earlier.store.commit({ step: "recover", owner: "later" });
  const desk = await new CoreDesk({ data }).connect();
  desk.runtime.play = ({ input }) => says(`knows: ${input.committedCalls[0]?.result.text}`);
  await desk.lanes.resume();
  await quiet();
  expect(desk.ran).toEqual([]);
  expect(desk.heard()).toEqual(["knows: once_pay ran"]);
});
