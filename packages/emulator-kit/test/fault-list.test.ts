import { expect, test } from "vitest";
import { type CountedFault, createManualClock, createSignal, FaultList } from "../src/index.ts";

interface Fault extends CountedFault {
  readonly door: string;
}

function openList() {
  const clock = createManualClock();
  const list = new FaultList<Fault, string>({
    changed: createSignal(clock),
    clock,
    matches: ({ door }, target) => door === target,
    unknownFault: (id) => new RangeError(`no fault ${id}`),
  });
  return { clock, list };
}

test("the first fault that fits meets a call, as often as it was asked to, behind those that it lets pass", () => {
  const { list } = openList();
  list.add({ kind: "cut", door: "front", skip: 1, times: 2 });
  expect(["front", "back", "front", "front", "front"].map((door) => list.take(door)?.fault.kind)).toEqual([
    undefined,
    undefined,
    "cut",
    "cut",
    undefined,
  ]);
});

test("a gate meets all calls until it is removed, and tells how many stand at it", async () => {
  const { list, clock } = openList();
  const id = list.add({ kind: "hold", at: "request", door: "front" });
  const passes = [list.take("front"), list.take("front")].map((taken) => taken && list.wait(taken, "request"));
  expect(await list.awaitMet(id, 2, 1_000)).toBe(2);
  list.remove(id, "pass");
  expect(await Promise.all(passes)).toEqual(["pass", "pass"]);
  expect(list.take("front")).toBeUndefined();
  const late = list.awaitMet(id, 3, 1_000);
  clock.advance(1_000);
  expect(await late).toBe(0);
});

test("a gate behind the effect holds nothing before it, and cuts what stands at it", async () => {
  const { list } = openList();
  const id = list.add({ kind: "hold", at: "answer", door: "front" });
  const taken = list.take("front");
  expect(taken && (await list.wait(taken, "request"))).toBe("pass");
  const held = taken && list.wait(taken, "answer");
  list.remove(id, "cut");
  expect(await held).toBe("cut");
});

test("a late answer comes when its time has passed", async () => {
  const { list, clock } = openList();
  list.add({ kind: "delay", delayMs: 500, door: "front" });
  const taken = list.take("front");
  expect(taken && (await list.wait(taken, "request"))).toBe("pass");
  const late = taken && list.wait(taken, "answer");
  let isOver = false;
  void late?.then(() => {
    isOver = true;
  });
  clock.advance(499);
  await Promise.resolve();
  expect(isOver).toBe(false);
  clock.advance(1);
  expect(await late).toBe("pass");
});

test("a fault that was never added is told of in its emulator's own words", () => {
  expect(() => openList().list.remove(7, "pass")).toThrow(new RangeError("no fault 7"));
});
