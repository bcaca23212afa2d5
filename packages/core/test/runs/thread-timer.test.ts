import { expect, it } from "vitest";
import { buildThreadClosing, parseThreadClosing } from "../../src/runs/thread-timer.ts";

const address = "irc/default/group/grove/9";

it.each([
  ["the run whose end closes it", "r1", "r1"],
  ["no run where it is closed without an end", undefined, ""],
])("a thread that is to be closed names its place and %s", (_, given, runId) => {
  const { subject } = buildThreadClosing({ id: "b", address }, given);
  expect(parseThreadClosing(subject)).toEqual({ address, runId });
});

it.each(["", address, "r1 ", "r1 nowhere"])("%j names no thread", (subject) => {
  expect(parseThreadClosing(subject)).toBeUndefined();
});
