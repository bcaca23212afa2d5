import { expect, test } from "vitest";
import { hasTurnToCome, isEndable, isRunToWait, RUN_TRANSITIONS, UNFINISHED_STATES } from "../src/index.ts";

test("a run can end as long as it is accepted and has not ended", () => {
  expect(UNFINISHED_STATES.filter((state) => isEndable({ state }))).toEqual(["accepted", "running", "waiting"]);
  expect(isEndable({ state: "ended" })).toBe(false);
  for (const state of UNFINISHED_STATES) expect(RUN_TRANSITIONS[state]).toContain("ended");
});

test.each([
  [{ state: "waiting" }, true],
  [{ state: "active" }, true],
  [{ state: "active", wake: "append" }, false],
  [{ state: "held" }, false],
  [{ state: "done" }, false],
  [{}, false],
] as const)("an answer to what the input %j asked is awaited: %j", (item, expected) => {
  expect(hasTurnToCome(item)).toBe(expected);
});

test.each([
  ["has nothing left", false, false, [], false],
  ["awaits another run", true, false, [], true],
  ["has an input that is held", false, true, [], true],
  ["has an input that the turn took along", false, false, [2], false],
  ["has another input", false, false, [2, 3], true],
] as const)("a run that %s waits after its turn: %j", (_name, awaits, holds, waiting, expected) => {
  const left = { awaitsRun: () => awaits, holdsInput: () => holds, listWaiting: () => waiting };
  expect(isRunToWait(left, [1, 2])).toBe(expected);
});
