import { expect, test } from "vitest";
import { quiet } from "../manual-clock.ts";
import { ADA, CoreDesk } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

/** A desk whose agent works on “walk” until it is let go, and tells what it hears. */
async function openDesk(receipts: ("delivered" | "returned")[] = []) {
  const desk = await new CoreDesk().connect();
  const gate = Promise.withResolvers<void>();
  const heard: string[] = [];
  desk.runtime.hear = async ({ text }) => {
    heard.push(text);
    return receipts.shift() ?? "delivered";
  };
  desk.runtime.play = async function* ({ input: { input } }) {
    if (input[0]?.text === "walk") await gate.promise;
    yield* says(`done: ${input.map(({ text }) => text).join(" + ")}`);
  };
  const passes = async (ms: number) => {
    await desk.ports.clock.advance(ms);
    await quiet();
  };
  const arrives = async (text: string) => {
    await desk.says(text);
    desk.turns.offer(ADA);
  };
  const letGo = async () => {
    gate.resolve();
    await quiet();
  };
  return { desk, heard, passes, arrives, letGo };
}

test("an idle lane begins at once; what comes while it works is handed on together, 500 ms behind the first", async () => {
  const { desk, heard, passes, arrives, letGo } = await openDesk();
  await desk.says("walk");
  expect(desk.runtime.turns).toHaveLength(1);
  await arrives("run");
  await passes(400);
  await arrives("rest");
  expect(heard).toEqual([]);
  await passes(99);
  expect(heard).toEqual([]);
  await passes(1);
  expect(heard).toEqual(["run", "rest"]);
  await letGo();
  expect(desk.heard()).toEqual(["done: walk"]);
});

test("steer: what was returned is not handed over again while the turn runs, nor what is behind it; each has its turn", async () => {
  const { desk, heard, passes, arrives, letGo } = await openDesk(["returned"]);
  desk.queue = { mode: "steer" };
  await desk.says("walk");
  await arrives("run");
  await passes(500);
  await arrives("rest");
  await passes(500);
  expect(heard).toEqual(["run"]);
  await letGo();
  expect(desk.heard()).toEqual(["done: walk", "done: run", "done: rest"]);
});

test("steer-backlog: what was returned is kept, and handed over again until its receipt says delivered", async () => {
  const { desk, heard, passes, arrives, letGo } = await openDesk(["returned"]);
  desk.queue = { mode: "steer-backlog" };
  await desk.says("walk");
  await arrives("run");
  await passes(500);
  await arrives("rest");
  await passes(500);
  expect(heard).toEqual(["run", "run", "rest"]);
  await letGo();
  expect(desk.heard()).toEqual(["done: walk"]);
});

test("a turn that hears nothing ends without a time limit for what it was told", async () => {
  const { desk, passes, letGo } = await openDesk();
  const limits: number[] = [];
  const schedule = desk.ports.clock.schedule.bind(desk.ports.clock);
  await desk.says("walk");
  desk.ports.clock.schedule = (ms, fire) => {
    limits.push(ms);
    return schedule(ms, fire);
  };
  await passes(1);
  await letGo();
  expect(desk.heard()).toEqual(["done: walk"]);
  expect(limits).not.toContain(2_000);
});
