import { expect, it } from "vitest";
import { moveToKey } from "../../src/sessions/move-session.ts";

const DAY = "2026-11-21";
const dayUsage = { day: DAY, turns: 2, tokens: 40, costUsd: 0.5 };
const record = {
  key: "agent:main:irc:dm:7",
  agentId: "main",
  revision: 3,
  entry: { sessionId: "s", sessionFile: "f", updatedAt: 0, userId: "irc:7", dayUsage },
};

it("takes what a conversation has used of the day to the name that it goes on under", () => {
  expect(moveToKey(record, "agent:main:dm:ada")).toMatchObject({
    from: record.key,
    counts: [
      { subject: "irc:7", day: DAY, turns: -2, tokens: -40, costUsd: -0.5 },
      { subject: "ada", day: DAY, turns: 2, tokens: 40, costUsd: 0.5 },
    ],
  });
});

it("counts nothing where the person stays the same, or has used nothing", () => {
  expect(moveToKey({ ...record, entry: { ...record.entry, userId: "ada" } }, "agent:main:dm:ada")).not.toHaveProperty(
    "counts",
  );
  const { dayUsage: _, ...unused } = record.entry;
  expect(moveToKey({ ...record, entry: unused }, "agent:main:dm:ada")).not.toHaveProperty("counts");
});
