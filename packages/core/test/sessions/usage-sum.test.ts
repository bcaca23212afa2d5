import { expect, it } from "vitest";
import { addUsage, subtractUsage } from "../../src/sessions/usage-sum.ts";

it("adds what is known and leaves unknown what neither knows", () => {
  expect(addUsage({ inputTokens: 5, cacheRead: 1 }, { inputTokens: 2, outputTokens: 3 })).toEqual({
    inputTokens: 7,
    outputTokens: 3,
    cacheRead: 1,
  });
  expect(addUsage({}, {})).toEqual({});
});

it("tells what is new, and never less than nothing", () => {
  expect(subtractUsage({ inputTokens: 5, costUsd: 2 }, { inputTokens: 3, costUsd: 4 })).toEqual({
    inputTokens: 2,
    costUsd: 0,
  });
});
