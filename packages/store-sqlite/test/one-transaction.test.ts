import { applyRandomStep, createModelState, createSeededRandom } from "@banyan/store/suite";
import { expect, onTestFinished, test } from "vitest";
import { WatchedDesk } from "./watched-desk.ts";

/** Of the union `Step`. */
const KINDS = 31;
const MOST_STEPS = 5_000;

test("each step is one transaction: from outside, and after a kill, nothing of it is there before its end, and all of it after", async () => {
  const desk = new WatchedDesk(1);
  onTestFinished(() => desk.close());
  const state = createModelState();
  const random = createSeededRandom(4);
  for (let step = 0; step < MOST_STEPS && desk.looks.size < KINDS; step += 1)
    await applyRandomStep(random, state, desk);
  expect(desk.wrong).toEqual([]);
  expect([...desk.looks.keys()].toSorted()).toHaveLength(KINDS);
});
