import type { SessionEntry } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { type RunFigures, updateEntryAfterRun } from "../../src/sessions/update-after-run.ts";

const ENTRY: SessionEntry = { sessionId: "s", sessionFile: "f", updatedAt: 1, lastInteractionAt: 5 };
const RUN: RunFigures = { now: 9, policy: "touch-activity", messages: 2, toolCalls: 0, isFailed: false };
const CUT: SessionEntry["interruption"] = { itemSeqs: [1] };

describe("updateEntryAfterRun", () => {
  it("leaves absent what nobody told: no invented zeros", () => {
    expect(updateEntryAfterRun(ENTRY, RUN)).toEqual({ ...ENTRY, updatedAt: 9, lastInteractionAt: 9, messageCount: 2 });
    expect(Object.keys(updateEntryAfterRun(ENTRY, { ...RUN, usage: {} })).sort()).toEqual([
      "lastInteractionAt",
      "messageCount",
      "sessionFile",
      "sessionId",
      "updatedAt",
    ]);
  });

  it("adds what is told to what was", () => {
    const usage = { inputTokens: 10, outputTokens: 5, cacheRead: 3, cacheWrite: 2, costUsd: 0.5 };
    const once = updateEntryAfterRun(ENTRY, { ...RUN, usage, toolCalls: 2, isFailed: true, model: "big" });
    expect(updateEntryAfterRun(once, { ...RUN, usage, toolCalls: 1, isFailed: true })).toEqual({
      ...ENTRY,
      updatedAt: 9,
      lastInteractionAt: 9,
      messageCount: 4,
      toolCallCount: 3,
      errorCount: 2,
      inputTokens: 20,
      outputTokens: 10,
      totalTokens: 30,
      cacheRead: 6,
      cacheWrite: 4,
      estimatedCostUsd: 1,
      model: "big",
    });
  });

  it.each([
    [{ inputTokens: 10 }, 10],
    [{ outputTokens: 5 }, 5],
    [{ inputTokens: 0, outputTokens: 0 }, 0],
    [{ cacheRead: 5 }, undefined],
  ])("of %j the total is %j", (usage, total) => {
    expect(updateEntryAfterRun(ENTRY, { ...RUN, usage }).totalTokens).toBe(total);
  });

  it.each([
    ["that answered settles what was cut off before it", { turns: 1 }, undefined],
    ["that failed leaves it to the next one, which is run as any other", { turns: 1, isFailed: true }, CUT],
    ["between, such as of a result, leaves all of it", { turns: 1, isBetween: true }, { ...CUT, model: "grove/large" }],
    ["in which no agent was asked changes nothing of it", {}, { ...CUT, model: "grove/large" }],
  ])("a turn %s", (_what, run, interruption) => {
    const entry = { ...ENTRY, interruption: { ...CUT, model: "grove/large" } };
    expect(updateEntryAfterRun(entry, { ...RUN, ...run }).interruption).toEqual(interruption);
  });

  it("keeps the activity of a system turn", () => {
    expect(updateEntryAfterRun(ENTRY, { ...RUN, policy: "preserve-activity" })).toMatchObject({
      updatedAt: 9,
      lastInteractionAt: 5,
    });
  });
});
