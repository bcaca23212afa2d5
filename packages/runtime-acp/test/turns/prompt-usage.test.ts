import { expect, test } from "vitest";
import { readUsage } from "../../src/turns/prompt-usage.ts";

const read = (usage: Parameters<typeof readUsage>[0]["usage"]) => readUsage(usage === undefined ? {} : { usage }, {});

const cost = { costUsd: 0.5, spentUsd: 2 };

test("cached input and thoughts that the total counts beside are added to what they are part of", () => {
  const beside = { inputTokens: 10, outputTokens: 3, cachedReadTokens: 200, cachedWriteTokens: 40, thoughtTokens: 7 };
  expect(read({ ...beside, totalTokens: 260 })).toEqual({
    inputTokens: 250,
    outputTokens: 10,
    cacheRead: 200,
    cacheWrite: 40,
  });
  expect(read({ ...beside, thoughtTokens: 2, outputTokens: 5, totalTokens: 255 })).toMatchObject({ outputTokens: 5 });
});

test("what is among them already is not counted twice, nor what no total tells of", () => {
  const among = { inputTokens: 250, outputTokens: 10, cachedReadTokens: 240, thoughtTokens: 7 };
  const counted = { inputTokens: 250, outputTokens: 10, cacheRead: 240 };
  expect(read({ ...among, totalTokens: 260 })).toEqual(counted);
  expect(read(among)).toEqual(counted);
});

test("an agent that tells nothing has used nobody knows what", () => {
  expect(read(undefined)).toBeUndefined();
  expect(readUsage({}, cost)).toEqual(cost);
});

test("an agent that has counted nothing, as one that was stopped, has used nobody knows what, and not nothing", () => {
  const none = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  expect(read(none)).toBeUndefined();
  expect(readUsage({ usage: none }, cost)).toEqual(cost);
  expect(read({ ...none, inputTokens: 3 })).toEqual({ inputTokens: 3, outputTokens: 0 });
});
