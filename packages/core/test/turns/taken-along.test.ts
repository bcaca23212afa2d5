import { expect, test } from "vitest";
import { quiet } from "../manual-clock.ts";
import { openTestData } from "../open-test-store.ts";
import { CoreDesk } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

test.each([
  ["collected", { mode: "collect" }],
  ["told in short", { mode: "followup", cap: 1, drop: "summarize" }],
] as const)(
  "a turn that is given up over a call takes nothing along: what would be %s has its own",
  async (_, queue) => {
    const data = openTestData();
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

test.each([
  ["left out", { mode: "followup", cap: 1, drop: "old" }],
  ["told in short", { mode: "followup", cap: 1, drop: "summarize" }],
  ["taken along as well", { mode: "collect" }],
] as const)("a later attempt has what the first one had: nothing of what came since is %s", async (_, later) => {
  const data = openTestData();
  const earlier = await new CoreDesk({ data }).connect();
  earlier.queue = { mode: "collect" };
  const gate = Promise.withResolvers<void>();
  earlier.runtime.play = async function* ({ input: { input, callTool } }) {
    if (input[0]?.text === "walk") await gate.promise;
    else {
      await callTool({ ordinal: 0, name: "look", args: {} });
      await new Promise(() => undefined);
    }
    yield* says("walked");
  };
  await earlier.says("walk");
  for (const id of ["a", "b"]) await earlier.receive([earlier.message(id, { id })]);
  gate.resolve();
  await quiet();
  const first = earlier.runtime.turns[1]?.input.map(({ text }) => text);
  expect(first).toEqual(["a", "b"]);
  for (const id of ["c", "d", "e"]) await earlier.receive([earlier.message(id, { id })]);
  await earlier.store.commit({ step: "recover", owner: "later" });
  const desk = await new CoreDesk({ data }).connect();
  desk.queue = later;
  await desk.lanes.resume();
  await desk.ports.clock.advance(5_000);
  await quiet();
  expect(desk.runtime.turns[0]?.input.map(({ text }) => text)).toEqual(first);
  const told = [...desk.heard(), ...desk.runtime.turns.flatMap(({ input }) => input.map(({ text }) => text))].join();
  for (const id of ["c", "d", "e"]) expect(told).toContain(id);
});

test("a message that kills the process takes those behind it nowhere", async () => {
  const data = openTestData();
  for (let life = 0; life < 5; life += 1) {
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
