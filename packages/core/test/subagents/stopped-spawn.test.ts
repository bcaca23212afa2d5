import { expect, it } from "vitest";
import { ThreadAccount } from "./timers/thread-account.ts";
import { TreeDesk } from "./tree-desk.ts";

it("a turn that is stopped while it spawns has spawned nothing", async () => {
  const threads = new ThreadAccount();
  const gate = Promise.withResolvers<void>();
  threads.opening = gate.promise;
  const desk = await new TreeDesk({ threads }).start();
  desk.plays(/^go/, async ({ call }) => {
    const spawned = await call("sessions_spawn", { task: "work", label: "w", thread: true, mode: "run" });
    return spawned.text;
  });
  await desk.says("go");
  await desk.says("/stop");
  await desk.later(6_000);
  gate.resolve();
  await desk.later(20 * 60_000);
  expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed"]);
  expect(desk.heard()).toEqual([expect.stringContaining("Stopped")]);
  expect(threads.done).toEqual(["open w", "withdraw"]);
  expect(desk.turns.map(({ input }) => input[0]?.text)).toEqual(["go"]);
});
