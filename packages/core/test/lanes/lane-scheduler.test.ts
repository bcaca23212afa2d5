import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { LaneDesk } from "./lane-desk.ts";
import { createGate } from "./lane-gate.ts";

describe("a lane", () => {
  it("runs one turn at a time, in order, until nothing waits", async () => {
    const desk = new LaneDesk();
    const open: (() => void)[] = [];
    desk.turn = () => new Promise((resolve) => open.push(resolve));
    await desk.put(["a", "a", "a"]);
    desk.lanes.wake("a");
    desk.lanes.wake("a");
    for (const count of [1, 2, 3]) {
      await quiet();
      expect(desk.begun).toHaveLength(count);
      open.shift()?.();
    }
    await quiet();
    expect(desk.begun).toEqual(["a 1", "a 2", "a 3"]);
    expect(desk.lanes.has("a")).toBe(false);
  });

  it("that is woken while it runs looks again when it is done", async () => {
    const desk = new LaneDesk();
    const gate = createGate();
    desk.turn = gate.turn;
    await desk.put(["a"]);
    desk.lanes.wake("a");
    await quiet();
    await desk.put(["a"]);
    desk.lanes.wake("a");
    await gate.open();
    expect(desk.begun).toEqual(["a 1", "a 2"]);
  });

  it("with nothing in it, or of somebody else, is left alone", async () => {
    const desk = new LaneDesk();
    await desk.put(["b"]);
    await desk.store.commit({ step: "claim", lane: "b", owner: "other", claimId: "c" });
    desk.lanes.wake("a");
    desk.lanes.wake("b");
    await quiet();
    expect(desk.begun).toEqual([]);
    expect(desk.ports.logged).toEqual([]);
  });

  it("whose next turn is here before the last one is gone is known as running until both are", async () => {
    const desk = new LaneDesk();
    const ends: (() => void)[] = [];
    desk.turn = () => new Promise((resolve) => ends.push(resolve));
    const [first] = await desk.put(["a"], "c1");
    if (first === undefined) throw new Error("A lane was claimed: it was not");
    desk.lanes.begin(first);
    desk.lanes.begin({ ...first, item: { ...first.item, body: "a 2" } });
    let isClosed = false;
    const closing = desk.lanes.close().then(() => {
      isClosed = true;
    });
    ends.shift()?.();
    await quiet();
    expect([isClosed, desk.lanes.has("a")]).toEqual([false, true]);
    ends.shift()?.();
    await closing;
  });
});

describe("many lanes", () => {
  it("run beside each other up to 1,000; the others wait their turn in the order they came, and none is passed over", async () => {
    const desk = new LaneDesk();
    const gate = createGate();
    desk.turn = gate.turn;
    const names = Array.from({ length: 2_500 }, (_, n) => `lane ${n}`);
    await desk.put(names);
    for (const name of names) desk.lanes.wake(name);
    await quiet();
    expect(desk.begun).toHaveLength(1_000);
    expect(desk.lanes.hasRoom).toBe(false);
    await gate.open();
    while (desk.begun.length < 2_500) await quiet();
    expect(desk.begun).toEqual(names.map((name, n) => `${name} ${n + 1}`));
    expect(desk.mostRunning).toBe(1_000);
    await quiet();
    expect(desk.lanes.hasRoom).toBe(true);
  });

  it("that wait in the store are all taken up, more than one page of them", async () => {
    const desk = new LaneDesk();
    await desk.put(Array.from({ length: 2_100 }, (_, n) => `lane ${n}`));
    await desk.lanes.resume();
    while (desk.begun.length < 2_100) await quiet();
    expect(new Set(desk.begun).size).toBe(2_100);
  });

  it("get on although one of them has much to do", async () => {
    const desk = new LaneDesk();
    await desk.put([...Array.from({ length: 50 }, () => "busy"), "other"]);
    desk.lanes.wake("busy");
    desk.lanes.wake("other");
    await quiet();
    expect(desk.begun.indexOf("other 51")).toBeLessThan(3);
  });

  it("a receive claims at once only where nobody waits", async () => {
    const desk = new LaneDesk();
    expect(desk.lanes.hasRoom).toBe(true);
    desk.turn = () => new Promise(() => undefined);
    const [claim] = await desk.put(["a"], "c1");
    if (claim !== undefined) desk.lanes.begin(claim);
    expect([desk.lanes.hasRoom, desk.lanes.has("a"), desk.lanes.has("b")]).toEqual([true, true, false]);
    desk.lanes.wake("a");
    expect(desk.lanes.hasRoom).toBe(false);
  });
});

describe("failures", () => {
  it("of the host give the lane back, six times; then it is left for somebody's word", async () => {
    const desk = new LaneDesk();
    const attempts: number[] = [];
    desk.turn = async ({ item }) => {
      attempts.push(item.attempt);
      throw new Error("no luck");
    };
    await desk.put(["a"]);
    desk.lanes.wake("a");
    await quiet();
    expect(attempts).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await desk.store.read.lane("a")).toMatchObject({ waiting: 1, active: [] });
    expect(desk.ports.logged).toHaveLength(6);
    desk.turn = async () => undefined;
    desk.lanes.wake("a");
    await quiet();
    expect(await desk.store.read.lane("a")).toMatchObject({ waiting: 0, active: [] });
  });

  it("of one turn are over with the next attempt", async () => {
    const desk = new LaneDesk();
    desk.turn = async ({ item }) => {
      if (item.attempt === 1) throw new Error("no luck");
    };
    await desk.put(["a", "a"]);
    desk.lanes.wake("a");
    await quiet();
    expect(desk.begun).toEqual(["a 1", "a 1", "a 2", "a 2"]);
  });

  it("of a claim are tried again after a while", async () => {
    let isFull = true;
    const desk = new LaneDesk((step, when) => (isFull && when === "before" && step.step === "claim" ? "full" : "none"));
    await desk.put(["a"]);
    desk.lanes.wake("a");
    await quiet();
    expect(desk.ports.logged).toMatchObject([
      { fields: { lane: "a", retryInMs: 30_000 }, message: "a lane makes no progress" },
    ]);
    isFull = false;
    await desk.ports.clock.advance(29_999);
    expect(desk.begun).toEqual([]);
    await desk.ports.clock.advance(1);
    expect(desk.begun).toEqual(["a 1"]);
  });
});

describe("a lane whose failed turn cannot be given back", () => {
  async function openFull() {
    const disk = { isFull: true };
    const desk = new LaneDesk((step, when) =>
      disk.isFull && when === "before" && step.step === "release" ? "full" : "none",
    );
    desk.turn = async ({ item }) => {
      if (item.attempt === 1) throw new Error("no luck");
    };
    await desk.put(["a"]);
    desk.lanes.wake("a");
    await quiet();
    expect(desk.begun).toEqual(["a 1"]);
    return { desk, disk };
  }

  it("goes on as soon as the store takes it", async () => {
    const { desk, disk } = await openFull();
    await desk.ports.clock.advance(120_000);
    expect(desk.begun).toEqual(["a 1"]);
    disk.isFull = false;
    await desk.ports.clock.advance(30_000);
    expect(desk.begun).toEqual(["a 1", "a 1"]);
    expect(await desk.store.read.lane("a")).toMatchObject({ waiting: 0, active: [] });
  });

  it("keeps no stop waiting", async () => {
    const { desk } = await openFull();
    let isClosed = false;
    const closing = desk.lanes.close().then(() => {
      isClosed = true;
    });
    await quiet();
    expect(isClosed).toBe(false);
    desk.stopping.abort();
    await closing;
  });
});

describe("closing", () => {
  it("waits for what runs, and begins nothing new", async () => {
    const desk = new LaneDesk();
    const gate = createGate();
    desk.turn = gate.turn;
    await desk.put(["a", "a", "b"]);
    desk.lanes.wake("a");
    await quiet();
    let isClosed = false;
    const closing = desk.lanes.close().then(() => {
      isClosed = true;
    });
    desk.lanes.wake("b");
    await quiet();
    expect([isClosed, desk.lanes.hasRoom]).toEqual([false, false]);
    await gate.open();
    await closing;
    expect(desk.begun).toEqual(["a 1"]);
    expect((await desk.store.read.counts()).waitingItems).toBe(2);
    await new LaneDesk().lanes.close();
  });

  it("gives a lane that was claimed just before back, its attempt included", async () => {
    const desk = new LaneDesk();
    const [claim] = await desk.put(["a"], "c1");
    await desk.lanes.close();
    if (claim !== undefined) desk.lanes.begin(claim);
    await quiet();
    expect(desk.begun).toEqual([]);
    const again = await desk.store.commit({ step: "claim", lane: "a", owner: "later", claimId: "c2" });
    expect(again).toMatchObject({ status: "done", claim: { item: { attempt: 1 } } });
  });
});
