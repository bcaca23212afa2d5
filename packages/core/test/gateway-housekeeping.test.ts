import { expect, it } from "vitest";
import { startHousekeeping } from "../src/gateway-housekeeping.ts";
import { openTestStore } from "./open-test-store.ts";
import { createTestPorts } from "./ports/test-ports.ts";

const DAY_MS = 24 * 3_600_000;

/** A store that removes as many rows as the test says, one number a step. */
function openDesk(pages: number[], files?: Parameters<typeof startHousekeeping>[3]) {
  const ports = createTestPorts();
  const prunes: object[] = [];
  const memory = openTestStore({ clock: ports.clock });
  const store: typeof memory = {
    ...memory,
    async commit(step) {
      const result = await memory.commit(step);
      if (step.step !== "prune") return result;
      prunes.push(step);
      return { ...result, removed: pages.shift() ?? 0 };
    },
  };
  return {
    ports,
    prunes,
    end: startHousekeeping(store, ports, { runRetentionMs: 7 * DAY_MS, auditRetentionMs: 90 * DAY_MS }, files),
  };
}

it("removes what is old a minute after the start, then every hour", async () => {
  const { ports, prunes } = openDesk([]);
  await ports.clock.advance(59_999);
  expect(prunes).toEqual([]);
  await ports.clock.advance(1);
  expect(prunes).toEqual([
    {
      step: "prune",
      olderThanMs: 30 * DAY_MS,
      runsOlderThanMs: 7 * DAY_MS,
      auditOlderThanMs: 90 * DAY_MS,
      limit: 10_000,
    },
  ]);
  await ports.clock.advance(3_599_999);
  expect(prunes).toHaveLength(1);
  await ports.clock.advance(1);
  expect(prunes).toHaveLength(2);
});

it("goes on at once while there was a full page", async () => {
  const { ports, prunes } = openDesk([20_000, 10_000, 9_999]);
  await ports.clock.advance(60_000);
  expect(prunes).toHaveLength(3);
  expect(ports.logged).toMatchObject([{ level: "info", fields: { removed: 39_999 } }]);
});

it("removes old rows on time, and looks at old files once, while a disk keeps it waiting for those", async () => {
  let looks = 0;
  const { ports, prunes } = openDesk([], {
    prune() {
      looks += 1;
      return new Promise(() => undefined);
    },
  });
  await ports.clock.advance(60_000);
  await ports.clock.advance(3_600_000);
  expect(prunes).toHaveLength(2);
  expect(looks).toBe(1);
});

it("tries old files again an hour after they could not be removed, and says why they could not", async () => {
  let looks = 0;
  const { ports } = openDesk([], {
    async prune() {
      looks += 1;
      if (looks === 1) throw new Error("EACCES");
    },
  });
  await ports.clock.advance(60_000);
  expect(ports.logged).toMatchObject([{ level: "error", message: "old files could not be removed" }]);
  await ports.clock.advance(3_600_000);
  expect(looks).toBe(2);
});

it.each([86_400_000, -86_400_000])(
  "removes nothing after the wall clock has jumped by %i ms, before it has run evenly for an hour",
  async (byMs) => {
    const { ports, prunes } = openDesk([]);
    await ports.clock.advance(30_000);
    ports.clock.jump(byMs);
    await ports.clock.advance(30_000);
    expect(prunes).toEqual([]);
    expect(ports.logged).toMatchObject([{ level: "warn", message: expect.stringMatching(/clock has jumped/) }]);
    await ports.clock.advance(3_600_000);
    expect(prunes).toHaveLength(1);
  },
);

it("takes a clock that is set a little for what it is", async () => {
  const { ports, prunes } = openDesk([]);
  ports.clock.jump(5 * 60_000);
  await ports.clock.advance(60_000);
  expect(prunes).toHaveLength(1);
});

it("ends with its disposer", async () => {
  const { ports, prunes, end } = openDesk([]);
  await ports.clock.advance(60_000);
  end();
  await ports.clock.advance(7_200_000);
  expect([prunes.length, ports.clock.waiting]).toEqual([1, 0]);
});
