import { createMemoryData } from "@banyan/store-memory";
import { expect, test } from "vitest";
import { quiet } from "../manual-clock.ts";
import { CoreDesk } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

test.each([
  ["collected", { mode: "collect" }],
  ["told in short", { mode: "followup", cap: 1, drop: "summarize" }],
] as const)(
  "a turn that is given up over a call takes nothing along: what would be %s has its own",
  async (_, queue) => {
    const data = createMemoryData();
    const earlier = await new CoreDesk({ data }).connect();
    earlier.queue = queue;
    earlier.runTool = () => new Promise(() => undefined);
    earlier.runtime.play = async function* ({ input }) {
      await input.callTool({ ordinal: 0, name: "once_pay", args: {} });
      yield* says("never");
    };
    await earlier.says("pay the bill");
    for (const id of ["b", "c", "d"]) await earlier.receive([earlier.message(`do ${id}`, { id })]);
    await earlier.store.commit({ step: "recover", owner: "later" });
    const desk = await new CoreDesk({ data }).connect();
    desk.queue = queue;
    desk.runtime.play = async function* ({ input }) {
      yield* says(`re: ${input.input.map(({ text }) => text).join(" + ")}`);
    };
    await desk.lanes.resume();
    await desk.ports.clock.advance(5_000);
    await quiet();
    const heard = desk.heard().join("\n");
    expect(heard).toMatch(/“pay the bill” was not finished/);
    for (const id of ["b", "c", "d"]) expect(heard).toContain(`do ${id}`);
  },
);

test("a message that kills the process takes those behind it nowhere", async () => {
  const data = createMemoryData();
  for (let life = 0; life < 3; life += 1) {
    const one = await new CoreDesk({ data }).connect();
    one.queue = { mode: "collect" };
    one.runtime.play = async function* () {
      await new Promise(() => undefined);
      yield* says("never");
    };
    if (life > 0) await one.lanes.resume();
    else {
      await one.says("poison");
      await one.receive([one.message("innocent", { id: "b" })]);
    }
    await quiet();
    await one.store.commit({ step: "recover", owner: `later ${life}` });
  }
  const desk = await new CoreDesk({ data }).connect();
  desk.queue = { mode: "collect" };
  await desk.lanes.resume();
  await desk.ports.clock.advance(5_000);
  await quiet();
  expect(desk.heard()).toEqual([expect.stringMatching(/“poison” was set aside/), "re: innocent"]);
});
