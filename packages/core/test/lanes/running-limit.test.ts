import { expect, it } from "vitest";
import { quiet } from "../manual-clock.ts";
import { LaneDesk } from "./lane-desk.ts";

it("lanes take turns where the embedding program wants fewer at once", async () => {
  const desk = new LaneDesk(() => "none", 2);
  await desk.put(["a", "a", "b", "b", "c", "c"]);
  for (const name of ["a", "b", "c"]) desk.lanes.wake(name);
  while (desk.begun.length < 6) await quiet();
  expect(desk.mostRunning).toBe(2);
  expect(desk.begun.slice(0, 3).toSorted()).toEqual(["a 1", "b 3", "c 5"]);
});

it("turns of sub-agents take no place from people, nor from the children that they wait for", async () => {
  const desk = new LaneDesk(() => "none", 2, 2);
  const gate = Promise.withResolvers<void>();
  const [one, two, below] = [
    "agent:main:subagent:one",
    "agent:main:subagent:two",
    "agent:main:subagent:below",
  ] as const;
  desk.turn = async ({ lane }) => {
    if (lane === one || lane === two) await desk.lanes.rest(lane, () => gate.promise);
  };
  await desk.put([one, two, below, "ada"]);
  for (const name of [one, two, below, "ada"]) desk.lanes.wake(name);
  expect(desk.lanes.hasRoom).toBe(true);
  await quiet();
  expect(desk.begun.toSorted()).toEqual(["ada 4", `${below} 3`, `${one} 1`, `${two} 2`]);
  gate.resolve();
  await quiet();
  expect(desk.lanes.size).toBe(0);
});
