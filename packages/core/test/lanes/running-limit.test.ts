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
