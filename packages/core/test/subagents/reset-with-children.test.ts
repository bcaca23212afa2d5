import { expect, it } from "vitest";
import { aborted } from "../turns/played-runtime.ts";
import { ADA, TreeDesk } from "./tree-desk.ts";

it("/new stops what the conversation has asked for, says so, and brings nothing of it into the next", async () => {
  const desk = await new TreeDesk().start();
  desk.plays(/^go/, async ({ call }) => {
    for (const label of ["a", "b"]) await call("sessions_spawn", { task: `work ${label}`, label });
    return "two are at work";
  });
  desk.plays(/^work a/, async ({ call, signal }) => {
    await call("sessions_spawn", { task: "leaf", label: "l" });
    await aborted(signal);
    return "";
  });
  desk.plays(/^(work b|leaf)/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  await desk.says("go");
  const before = await desk.store.read.session(ADA);
  await desk.says("/new");
  await desk.later(11 * 60_000);
  expect((await desk.runs()).map(({ state, endedReason, settledBy }) => [state, endedReason, settledBy])).toEqual([
    ["ended", "session-reset", "host"],
    ["ended", "killed", "nobody"],
    ["ended", "session-reset", "host"],
  ]);
  expect(desk.heard()).toHaveLength(2);
  expect(desk.heard().at(-1)).toBe("A new conversation begins; the old one is kept. 3 sub-agents were stopped.");
  const after = await desk.store.read.session(ADA);
  expect(after?.sessionId).not.toBe(before?.sessionId);
  desk.plays(/^hello/, async ({ input }) => `${(await input.history()).length} before`);
  await desk.says("hello");
  expect(desk.heard().at(-1)).toBe("0 before");
  const kept = [before, after].map((row) => desk.store.read.entries({ sessionId: row?.sessionId ?? "", limit: 99 }));
  const completions = (await Promise.all(kept)).map((rows) => rows.filter(({ body }) => body.includes('"completion"')));
  expect(completions.map((rows) => rows.length)).toEqual([2, 0]);
  expect(desk.gateway.load.turns).toBe(0);
});
