import { expect, test } from "vitest";
import { mergeSetting, parseSetting, readWords } from "../../../src/inbound/commands/queue.ts";

test.each<readonly [string, unknown]>([
  ["default", "default"],
  ["Interrupt", { mode: "interrupt" }],
  ["interrupt checkpoint", { mode: "interrupt", interrupt: { resume: "checkpoint" } }],
  ["interrupt HERE", { mode: "interrupt", interrupt: { resume: "here" } }],
  ["interrupt model Grove/Large-2", { mode: "interrupt", interrupt: { model: "Grove/Large-2" } }],
  ["interrupt thinking high", { mode: "interrupt", interrupt: { thinking: "high" } }],
  ["debounce 60000", { debounceMs: 60_000 }],
  ["cap 1", { cap: 1 }],
  ["drop old", { drop: "old" }],
  ["debounce 60001", undefined],
  ["cap 0", undefined],
  ["cap 1 2", undefined],
  ["interrupt thinking hard", undefined],
  ["interrupt model", undefined],
  ["interrupt sideways", undefined],
  ["sideways", undefined],
])("/queue %s", (text, setting) => {
  expect(parseSetting(readWords(text))).toEqual(setting);
});

test("earlier settings are kept, and default removes one", () => {
  const set = (own: object, text: string) => {
    const setting = parseSetting(readWords(text));
    return setting === undefined || setting === "default"
      ? setting
      : JSON.parse(JSON.stringify(mergeSetting(own, setting)));
  };
  const first = set({ cap: 3 }, "interrupt checkpoint");
  const second = set(first, "interrupt model grove/large");
  expect(second).toEqual({ cap: 3, mode: "interrupt", interrupt: { resume: "checkpoint", model: "grove/large" } });
  expect(set(second, "interrupt model default")).toEqual(first);
});
