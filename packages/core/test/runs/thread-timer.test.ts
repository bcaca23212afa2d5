import { expect, it } from "vitest";
import { buildThreadClosing, buildThreadNaming, parseThreadTimer } from "../../src/runs/thread-timer.ts";

const address = "irc/default/group/grove/9";
const thread = { id: "b|1", address };

it.each([
  ["to be closed by the run's end", buildThreadClosing(thread, "r1"), "r1"],
  ["to be closed without an end", buildThreadClosing(thread, undefined), ""],
  ["to be renamed", buildThreadNaming(thread, "r1"), "r1"],
])("a thread that is %s names its place, its binding and the run", (_, timer, runId) => {
  expect(parseThreadTimer(timer)).toEqual({ bindingId: "b|1", address, runId });
});

it("the two of one thread stand beside each other", () => {
  expect(buildThreadClosing(thread, "r1").id).not.toBe(buildThreadNaming(thread, "r1").id);
});

it.each([{ subject: "" }, { subject: address }, { subject: "r1 " }, { subject: "r1 nowhere" }, { id: "another|b" }])(
  "%j names no thread",
  (wrong) => {
    expect(parseThreadTimer({ ...buildThreadClosing(thread, "r1"), ...wrong })).toBeUndefined();
  },
);
