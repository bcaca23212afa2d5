import { applyRandomStep, createModelState, createSeededRandom } from "@banyan/plugin-sdk/store/suite";
import { expect, onTestFinished, test } from "vitest";
import { WatchedDesk } from "./watched-desk.ts";

/** Of each kind of step. */
const WATCHED = 3;
const STEPS = 1_200;

test("each step is one transaction: from outside, and after a kill, nothing of it is there before its end, and all of it after", async () => {
  const desk = new WatchedDesk(WATCHED);
  onTestFinished(() => desk.close());
  const state = createModelState();
  const random = createSeededRandom(3);
  for (let step = 0; step < STEPS; step += 1) await applyRandomStep(random, state, desk);
  expect(desk.wrong).toEqual([]);
  expect([...desk.looks.keys()].sort()).toMatchInlineSnapshot();
});
