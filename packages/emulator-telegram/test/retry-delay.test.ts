import { expect, it } from "vitest";
import { decideRetryDelayS } from "../src/webhooks/retry-delay.ts";

it.each([
  [0, 0, 0, 1],
  [1, 0, 0, 2],
  [5, 0, 0, 32],
  [6, 0, 0, 60],
  [50, 0, 0.999, 120],
  [0, 7, 0, 7],
  [9, 90_000, 0, 3600],
])("T39: after %i failures, Retry-After %i, chance %f: %i s", (failures, retryAfterS, random, seconds) => {
  expect(decideRetryDelayS(failures, retryAfterS, random)).toBe(seconds);
});
