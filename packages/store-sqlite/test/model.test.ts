import { applyRandomStep, createModelState, createSeededRandom } from "@banyan/plugin-sdk/store/suite";
import { expect, test } from "vitest";
import { ModelDesk } from "./model-desk.ts";

test("a refused step changes nothing, a repeated one neither, derived columns agree, and another process reads the same", async () => {
  const desk = new ModelDesk();
  const state = createModelState();
  const random = createSeededRandom(1);
  for (let step = 0; step < 1_500; step += 1) await applyRandomStep(random, state, desk);
  desk.close();
  expect(desk.ends.size).toBeGreaterThan(60);
});
