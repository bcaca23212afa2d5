import { describe, expect, test } from "vitest";
import { explainNoRun, findRun } from "../../src/runs/find-run.ts";
import { buildRun, childKey } from "./run-rows.ts";

const ENDED = { state: "ended", endedReason: "complete" } as const;
const RUNS = [
  buildRun("9f3a1111-0001", { body: { label: "words 1/3", taskName: "words" } }),
  buildRun("9f3a2222-0002", { body: { label: "Words 2/3", taskName: "pages" }, ...ENDED }),
  buildRun("12345678-0003", { body: { taskName: "pages" } }),
  buildRun("77770000-0004", { body: { label: "twin" } }),
  buildRun("88880000-0005", { body: { label: "twin" } }),
  buildRun("aaaa0000-0006", { body: { task: "look\nat it" }, childSessionKey: childKey("77770000-0004"), ...ENDED }),
];

function find(target: string): string | undefined {
  const found = findRun(RUNS, target);
  return found.status === "found" ? found.run.runId.slice(-1) : found.status;
}

describe("a run is meant by", () => {
  test.each([
    ["its number in the listing", "2", "2"],
    ["its id", "9f3a2222-0002", "2"],
    ["the word for the newest", "last", "6"],
    ["its session's key", childKey("88880000-0005"), "5"],
    ["the key of a session of several, of which one is unfinished", childKey("77770000-0004"), "4"],
    ["its task's name", "words", "1"],
    ["a task's name that an ended one has as well", "pages", "3"],
    ["its label, typed as it is read", " words  2/3 ", "2"],
    ["how its task begins, where it has no label", "look", "6"],
    ["the beginning of its id", "1234", "3"],
    ["a longer beginning of two that are alike", "9f3a2", "2"],
  ])("%s", (_name, target, last) => {
    expect(find(target)).toBe(last);
  });

  test("a number only where the listing has numbers", () => {
    expect(findRun(RUNS, "2", { isNumbered: false }).status).toBe("none");
  });

  test.each([
    ["a label of two that are both unfinished", "twin", "ambiguous"],
    ["a beginning of two ids, though one is unfinished", "9f3a", "ambiguous"],
    ["a beginning that is too short", "9f3", "none"],
    ["a number beyond the listing", "7", "none"],
    ["zero", "0", "none"],
    ["nothing", " ", "none"],
  ])("but not by %s", (_name, target, status) => {
    expect(find(target)).toBe(status);
  });
});

describe("what could have been meant is said", () => {
  const explain = (runs: typeof RUNS, target: string) => {
    const found = findRun(runs, target);
    return found.status === "found" ? found.run.runId : explainNoRun(found, target);
  };

  test.each([
    [RUNS, "twin", '2 are called so, received "twin"; give the id of one: twin (77770000), twin (88880000)'],
    [RUNS.slice(0, 1), "x", 'none is called so, received "x"; there are words 1/3 (9f3a1111)'],
    [[], "x", 'there is none yet, received "x"'],
  ])("%#", (runs, target, sentence) => {
    expect(explain(runs, target)).toBe(sentence);
  });

  test("of many the newest are named", () => {
    expect(explain(RUNS, "x")).toMatch(/there are Words 2\/3 \(9f3a2222\), .* and 1 more$/);
  });
});
