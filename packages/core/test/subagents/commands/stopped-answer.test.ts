import type { RunEvent, SessionEntry } from "@banyan/plugin-sdk";
import { expect, test } from "vitest";
import type { BusyDesk } from "./busy-desk.ts";
import { GROVE, openThread, THREAD } from "./focus-desk.ts";

const USED = { inputTokens: 900, outputTokens: 100 };

/** From now on each answer to a person tells what it has used before it works. */
function tellUse(desk: BusyDesk): void {
  const { play } = desk.runtime;
  desk.runtime.play = async function* (turn): AsyncGenerator<RunEvent> {
    if (turn.input.input.some(({ kind }) => kind === "message")) yield { type: "usage", usage: USED };
    yield* play(turn);
  };
}

async function readHelper(desk: BusyDesk): Promise<SessionEntry> {
  const key = (await desk.runs())[0]?.childSessionKey ?? "";
  return JSON.parse((await desk.store.read.session(key))?.body ?? "{}");
}

test("what an answer in a thread had used counts when it is stopped with a sub-agent whose task is done", async () => {
  const desk = await openThread();
  await desk.ends("a", "a is done");
  await desk.ends("helper", "ready");
  await desk.rest();
  tellUse(desk);
  const before = await readHelper(desk);
  await desk.saysAt(THREAD, "work on more");
  await desk.saysAt(GROVE, "/kill helper");
  expect(desk.heardAt(GROVE).at(-1)).toMatch(/Stopped: the answer that it was making/);
  const after = await readHelper(desk);
  expect((after.inputTokens ?? 0) - (before.inputTokens ?? 0)).toBe(900);
  expect((after.outputTokens ?? 0) - (before.outputTokens ?? 0)).toBe(100);
  expect((after.dayUsage?.turns ?? 0) - (before.dayUsage?.turns ?? 0)).toBe(1);
});

test("the same beside a task that waits for others, and is stopped in the same step", async () => {
  const desk = await openThread();
  await desk.ends("helper", "waiting for a");
  tellUse(desk);
  const before = await readHelper(desk);
  await desk.saysAt(THREAD, "work on more");
  await desk.saysAt(GROVE, "/kill helper");
  expect(desk.heardAt(GROVE).at(-1)).toMatch(/The answer that it was making is stopped, too/);
  const after = await readHelper(desk);
  expect((after.inputTokens ?? 0) - (before.inputTokens ?? 0)).toBe(900);
  expect((after.dayUsage?.turns ?? 0) - (before.dayUsage?.turns ?? 0)).toBe(1);
});
