import { describe, expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { LaneDesk } from "./lane-desk.ts";
import { createGate } from "./lane-gate.ts";

describe("what is known of a lane when its turn begins: a lane", () => {
  it("that is claimed by what comes in begins as what it is: taken up at the start, with nothing counted", async () => {
    const desk = new LaneDesk(undefined, 1);
    const gate = createGate();
    desk.turn = gate.turn;
    await desk.put(["a"]);
    await desk.put(["b", "b"]);
    await desk.lanes.resume();
    await quiet();
    const [claim] = await desk.put(["b"], "fused");
    if (claim === undefined) throw new Error("The lane was not claimed");
    desk.lanes.begin(claim);
    await gate.open();
    expect(desk.begun).toEqual(["a 1", "b 2", "b 3", "b 4"]);
    expect(desk.claims.map(({ isResumed, waiting }) => [isResumed, waiting])).toEqual([
      [true, undefined],
      [true, undefined],
      [false, 1],
      [false, 0],
    ]);
  });

  it("in which something came since its last turn is looked through for what comes first", async () => {
    const desk = new LaneDesk(undefined, 1);
    const gates = new Map([
      ["a", createGate()],
      ["b", createGate()],
    ]);
    desk.turn = ({ lane }) => gates.get(lane)?.turn() ?? Promise.resolve();
    await desk.put(["a", "a", "b"]);
    desk.lanes.wake("a");
    desk.lanes.wake("b");
    await quiet();
    await gates.get("a")?.open();
    // It has left one, and waits for its place.
    expect(desk.begun).toEqual(["a 1", "b 3"]);
    await desk.put(["a"]);
    desk.lanes.wake("a");
    desk.chosen.length = 0;
    await gates.get("b")?.open();
    expect(desk.begun).toEqual(["a 1", "b 3", "a 2", "a 4"]);
    expect(desk.chosen).toEqual(["a"]);
    expect(desk.claims.map(({ waiting }) => waiting)).toEqual([undefined, undefined, undefined, 0]);
  });
});
