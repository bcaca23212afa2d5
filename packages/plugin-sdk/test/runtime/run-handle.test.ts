import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { readAll, TurnDesk, textOf } from "../../src/runtime/suite/index.ts";
import { createRunHandle, type TurnProgram } from "../../src/runtime/turns/index.ts";
import { UNREAD_LIMIT_EVENTS } from "../../src/runtime/turns/turn-events.ts";

function start(program: TurnProgram, desk = new TurnDesk()) {
  return createRunHandle(desk.turn("go", { now: () => ({ text: "12:00", isError: false }) }), program, {
    log: desk.log,
  });
}

it("is read by one reader", async () => {
  const run = start(async () => ({ reason: "done" }));
  await readAll(run);
  await expect(readAll(run)).rejects.toThrow(/a reader already/);
});

it("gives the handle before the program's first step", async () => {
  let hasStarted = false;
  const run = start(async () => {
    hasStarted = true;
    return { reason: "done" };
  });
  expect(hasStarted).toBe(false);
  expect(run.isLive()).toBe(true);
  await readAll(run);
  expect(hasStarted).toBe(true);
  expect(run.isLive()).toBe(false);
});

it("does not start a program that was aborted before", async () => {
  let hasStarted = false;
  const run = start(async () => {
    hasStarted = true;
    return { reason: "done" };
  });
  await run.abort("at once");
  expect(await readAll(run)).toEqual([{ type: "end", reason: "stopped" }]);
  expect(hasStarted).toBe(false);
});

it("lets a program that floods wait for its reader", async () => {
  let said = 0;
  const desk = new TurnDesk();
  const flooded = Promise.withResolvers<void>();
  const run = start(async (turn) => {
    while (said < UNREAD_LIMIT_EVENTS * 3) {
      said += 1;
      if (said === UNREAD_LIMIT_EVENTS) flooded.resolve();
      await turn.say("x");
    }
    return { reason: "done" };
  }, desk);
  await flooded.promise;
  // A turn of the event loop is more than a program needs that does not wait.
  await setImmediate();
  expect(said).toBe(UNREAD_LIMIT_EVENTS);
  expect(textOf(await readAll(run))).toHaveLength(UNREAD_LIMIT_EVENTS * 3);
});

it("stops a flood that nobody reads", async () => {
  const run = start(async (turn) => {
    for (;;) await turn.say("x");
  });
  await run.abort("/stop");
  expect((await readAll(run)).at(-1)).toEqual({ type: "end", reason: "stopped" });
});

it("ends calls that the program did not wait for, and refuses what it says afterwards", async () => {
  const late = Promise.withResolvers<string>();
  const run = start(async (turn) => {
    turn.callTool("now", {}).then(
      () =>
        turn.say("late").then(
          () => late.resolve("heard"),
          (cause) => late.resolve(String(cause)),
        ),
      (cause) => late.resolve(String(cause)),
    );
    return { reason: "done" };
  });
  expect(await readAll(run)).toEqual([
    { type: "tool_start", ordinal: 0, name: "now" },
    { type: "tool_end", ordinal: 0, isError: true },
    { type: "end", reason: "done" },
  ]);
  expect(await late.promise).toMatch(/interrupted/);
});

it("ends as stopped whatever a program that heard the abort returns", async () => {
  const begun = Promise.withResolvers<void>();
  const run = start(async (turn) => {
    begun.resolve();
    await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    return { reason: "done" };
  });
  await begun.promise;
  await run.abort("/stop");
  expect(await readAll(run)).toEqual([{ type: "end", reason: "stopped" }]);
});
