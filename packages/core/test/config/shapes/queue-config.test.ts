import { expect, test } from "vitest";
import { listQueueModels, parseQueueSetting, resolveQueueRules } from "../../../src/config/shapes/queue-config.ts";

test("nothing written: the mode is the runtime's, the rest has its defaults", () => {
  expect(resolveQueueRules(undefined, "irc")).toEqual({
    debounceMs: 500,
    cap: 20,
    drop: "summarize",
    interrupt: { resume: "here" },
  });
});

test("a conversation's own setting stands over its channel's, and that over the one of all", () => {
  const config = { mode: "collect", cap: 9, byChannel: { irc: { cap: 5, drop: "old" } } } as const;
  expect(resolveQueueRules(config, "irc", { mode: "interrupt" })).toEqual({
    mode: "interrupt",
    debounceMs: 500,
    cap: 5,
    drop: "old",
    interrupt: { resume: "here" },
  });
  expect(resolveQueueRules(config, "web")).toMatchObject({ mode: "collect", cap: 9, drop: "summarize" });
});

test("how a turn is cut off is told piece by piece", () => {
  const config = {
    interrupt: { resume: "checkpoint", model: "grove/large" },
    byChannel: { irc: { interrupt: { thinking: "high" } } },
  } as const;
  const own = parseQueueSetting({ interrupt: { model: "grove/small", resume: "sideways", thinking: 3, more: 1 } });
  expect(resolveQueueRules(config, "irc", own).interrupt).toEqual({
    resume: "checkpoint",
    model: "grove/small",
    thinking: "high",
  });
  expect(listQueueModels(config)).toEqual([{ path: ["queue", "interrupt", "model"], model: "grove/large" }]);
});

test.each([
  [undefined, {}],
  ["steer", {}],
  [{ mode: "sideways", cap: 0, debounceMs: -1, drop: 3 }, {}],
  [
    { mode: "steer", cap: 3, debounceMs: 0, drop: "new", more: 1 },
    { mode: "steer", cap: 3, debounceMs: 0, drop: "new" },
  ],
])("of a record only what is a setting is taken: %j", (stored, expected) => {
  expect(parseQueueSetting(stored)).toEqual(expected);
});
