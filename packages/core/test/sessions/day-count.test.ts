import { expect, it } from "vitest";
import { countDayUse, moveDayUse } from "../../src/sessions/day-count.ts";

const DAY = "2026-11-21";
const used = (turns: number, tokens?: number, costUsd?: number, day = DAY) => ({
  userId: "ada",
  dayUsage: {
    day,
    turns,
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  },
});
const count = (turns: number, tokens: number, costUsd: number) => ({
  subject: "ada",
  day: DAY,
  turns,
  tokens,
  costUsd,
});

it.each([
  ["the first turn of a session", { userId: "ada" }, used(1, 30, 0.5), count(1, 30, 0.5)],
  ["what came on top", used(1, 30, 0.5), used(2, 40, 0.75), count(1, 10, 0.25)],
  ["what nobody could count before", used(1), used(2, 40), count(1, 40, 0)],
  ["a new day", used(7, 30, 0.5, "2026-11-20"), used(1, 4), count(1, 4, 0)],
  ["a turn without a figure", used(1), used(2), count(1, 0, 0)],
  ["nothing new", used(2, 40, 0.5), used(2, 40, 0.5), undefined],
  ["a session that is new and was used never", undefined, { userId: "ada" }, undefined],
  ["a group, which is nobody's own", {}, { dayUsage: used(1, 5).dayUsage }, undefined],
])("counts of a record %s", (_what, before, entry, expected) => {
  expect(countDayUse(before, entry)).toEqual(expected);
});

it("takes a day's use along to another name, and only there", () => {
  expect(moveDayUse(used(2, 40), "irc:ada")).toEqual([count(-2, -40, -0), { ...count(2, 40, 0), subject: "irc:ada" }]);
  expect([moveDayUse(used(2), "ada"), moveDayUse({ userId: "ada" }, "bob"), moveDayUse({}, "bob")]).toEqual([
    [],
    [],
    [],
  ]);
});
