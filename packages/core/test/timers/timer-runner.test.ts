import type { TimerRow } from "@banyan/store";
import { expect, it, onTestFinished } from "vitest";
import { TimerRunner } from "../../src/timers/timer-runner.ts";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";

/** A store with timers, and a runner that removes what it fires, unless the test says otherwise. */
function openDesk() {
  const ports = createTestPorts();
  const store = openTestStore({ clock: ports.clock });
  const fired: string[] = [];
  const drop = async ({ id, dueAtMs }: TimerRow) => {
    await store.commit({ step: "set_timers", fired: { id, dueAtMs }, arm: [], end: [] });
  };
  const desk = {
    ports,
    fired,
    reads: 0,
    drop,
    fire: drop,
    arm: async (id: string, dueInMs: number) => {
      await store.commit({ step: "set_timers", arm: [{ id, kind: "test", subject: id, dueInMs }], end: [] });
      runner.wake();
      await quiet();
    },
  };
  const read: Pick<typeof store.read, "timers"> = {
    timers: (query) => {
      desk.reads += 1;
      return store.read.timers(query);
    },
  };
  const runner = new TimerRunner({
    store: { read },
    ports,
    fire: (timer) => {
      fired.push(timer.id);
      return desk.fire(timer);
    },
  });
  onTestFinished(() => runner.close());
  return { ...desk, desk, runner, store, clock: ports.clock };
}

it("fires nothing before the start, then what is due, the oldest first", async () => {
  const { arm, fired, runner, clock } = openDesk();
  await arm("b", 2_000);
  await arm("a", 1_000);
  await clock.advance(5_000);
  expect(fired).toEqual([]);
  runner.start();
  await quiet();
  expect(fired).toEqual(["a", "b"]);
});

it("fires at the time, never early, and once", async () => {
  const { arm, fired, runner, clock } = openDesk();
  runner.start();
  await arm("a", 90_000);
  await clock.advance(89_999);
  runner.wake();
  await quiet();
  expect(fired).toEqual([]);
  await clock.advance(1);
  expect(fired).toEqual(["a"]);
  await clock.advance(600_000);
  expect(fired).toEqual(["a"]);
});

it("looks once a minute where nothing is armed, and finds what nobody told of", async () => {
  const { desk, runner, clock } = openDesk();
  runner.start();
  await clock.advance(600_000);
  expect(desk.reads).toBe(11);
});

it("does not look at once for what is due much later, and fires it in time", async () => {
  const { desk, fired, runner, clock, store } = openDesk();
  runner.start();
  await quiet();
  await store.commit({ step: "set_timers", arm: [{ id: "a", kind: "test", subject: "a", dueInMs: 150_000 }], end: [] });
  runner.wake(150_000);
  await quiet();
  expect(desk.reads).toBe(1);
  await clock.advance(149_999);
  expect(fired).toEqual([]);
  await clock.advance(1);
  expect(fired).toEqual(["a"]);
});

it("never fires one that is under way again", async () => {
  const { desk, arm, fired, runner, clock } = openDesk();
  const end = Promise.withResolvers<void>();
  desk.fire = async (timer) => {
    await end.promise;
    await desk.drop(timer);
  };
  runner.start();
  await arm("a", 0);
  await arm("b", 30_000);
  await clock.advance(300_000);
  expect(fired).toEqual(["a", "b"]);
  end.resolve();
  await clock.advance(300_000);
  expect(fired).toEqual(["a", "b"]);
});

it("fires at most eight beside each other, and the others as room is made", async () => {
  const { desk, arm, fired, runner } = openDesk();
  const ends: (() => void)[] = [];
  desk.fire = (timer) => new Promise((resolve) => ends.push(() => resolve(desk.drop(timer))));
  for (let at = 0; at < 20; at += 1) await arm(`t${String(at).padStart(2, "0")}`, 0);
  runner.start();
  await quiet();
  expect(fired).toHaveLength(8);
  ends.shift()?.();
  await quiet();
  expect(fired).toHaveLength(9);
  while (ends.length > 0) {
    ends.shift()?.();
    await quiet();
  }
  expect(new Set(fired).size).toBe(20);
  expect(fired).toHaveLength(20);
});

it("logs one that fails and tries it again, each time later, while the others go on", async () => {
  const { desk, arm, fired, runner, clock, ports } = openDesk();
  desk.fire = async (timer) => {
    if (timer.id === "bad" && fired.filter((id) => id === "bad").length < 3) throw new Error("no");
    await desk.drop(timer);
  };
  runner.start();
  await arm("bad", 0);
  await arm("good", 0);
  expect(fired).toEqual(["bad", "good"]);
  await clock.advance(4_999);
  expect(fired).toHaveLength(2);
  await clock.advance(1);
  expect(fired).toHaveLength(3);
  await clock.advance(9_999);
  expect(fired).toHaveLength(3);
  await clock.advance(1);
  expect(fired).toEqual(["bad", "good", "bad", "bad"]);
  await clock.advance(600_000);
  expect(fired).toHaveLength(4);
  expect(ports.logged.filter(({ level }) => level === "error")).toHaveLength(2);
});

it.each([3_600_000, -3_600_000])(
  "fires nothing after a jump of the wall clock by %i ms before it has run evenly for a minute",
  async (byMs) => {
    const { arm, fired, runner, clock, ports } = openDesk();
    runner.start();
    await arm("soon", 50_000);
    await arm("later", 1_800_000);
    clock.jump(byMs);
    await clock.advance(50_000);
    await clock.advance(59_999);
    expect(fired).toEqual([]);
    expect(ports.logged).toMatchObject([{ level: "warn", message: expect.stringMatching(/clock has jumped/) }]);
    // It was set right again before it was believed.
    clock.jump(-byMs);
    await clock.advance(1);
    expect(fired).toEqual([]);
    await clock.advance(60_000);
    expect(fired).toEqual(["soon"]);
  },
);

it("believes a clock that stays where it jumped to", async () => {
  const { arm, fired, runner, clock } = openDesk();
  runner.start();
  await arm("later", 1_800_000);
  clock.jump(3_600_000);
  await clock.advance(120_000);
  expect(fired).toEqual(["later"]);
});

it("begins nothing after its close, and waits for what it has begun", async () => {
  const { desk, arm, fired, runner, clock } = openDesk();
  const end = Promise.withResolvers<void>();
  desk.fire = () => end.promise;
  runner.start();
  await arm("a", 0);
  await arm("b", 1_000);
  let isClosed = false;
  const closed = runner.close().then(() => {
    isClosed = true;
  });
  await clock.advance(60_000);
  expect([fired, isClosed, clock.waiting]).toEqual([["a"], false, 0]);
  end.resolve();
  await closed;
});
