import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { startTimer } from "../../src/ports/timer.ts";

/** The whole process stands still, as on SIGSTOP. */
function standStill(forMs: number): void {
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs);
}

it("a timer calls back once after its time", async () => {
  const begunMs = performance.now();
  await new Promise<void>((resolve) => startTimer(20, resolve));
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(19);
});

it("a timer that is cancelled never calls back", async () => {
  let calls = 0;
  startTimer(1, () => {
    calls += 1;
  })();
  await new Promise<void>((resolve) => startTimer(20, resolve));
  expect(calls).toBe(0);
});

it("after a standstill what came in meanwhile is read before a limit counts", async () => {
  const order: string[] = [];
  const limit = new Promise<void>((resolve) =>
    startTimer(1_000, () => {
      order.push("limit");
      resolve();
    }),
  );
  const answer = readFile(new URL(import.meta.url), "utf8").then(() => order.push("answer"));
  standStill(1_050);
  await Promise.all([limit, answer]);
  expect(order).toEqual(["answer", "limit"]);
});

it("a long wait does not end early, and ends before a wait that is twice as long", async () => {
  const begunMs = performance.now();
  let isLate = false;
  const cancel = startTimer(2_000, () => {
    isLate = true;
  });
  await new Promise<void>((resolve) => startTimer(1_000, resolve));
  cancel();
  expect(performance.now() - begunMs).toBeGreaterThanOrEqual(999);
  expect(isLate).toBe(false);
});

it("a limit that is looked at a second time can still be cancelled", async () => {
  let calls = 0;
  const cancel = startTimer(1_000, () => {
    calls += 1;
  });
  standStill(1_050);
  // The first look comes before this one.
  await new Promise<void>((resolve) => startTimer(1, resolve));
  cancel();
  await new Promise<void>((resolve) => startTimer(400, resolve));
  expect(calls).toBe(0);
});
