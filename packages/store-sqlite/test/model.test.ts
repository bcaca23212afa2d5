import { applyRandomStep, createModelState, createSeededRandom } from "@banyan/store/suite";
import { expect, test } from "vitest";
import { ModelDesk } from "./model-desk.ts";

test("a refused step changes nothing, a repeated one neither, derived columns agree, and another process reads the same", async () => {
  const desk = new ModelDesk();
  const state = createModelState();
  const random = createSeededRandom(1);
  for (let step = 0; step < 400; step += 1) await applyRandomStep(random, state, desk);
  desk.close();
  expect(desk.ends.size).toBeGreaterThan(40);
});
