import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { formatDeleted } from "../../src/commands/sessions-delete.ts";
import { askYes } from "../../src/terminal/ask-yes.ts";

test.each([
  [[], "  agent:main:main is deleted; the next message there begins a new one"],
  [["a"], "  agent:main:main is deleted, and 1 run of it is stopped; the next message there begins a new one"],
  [["a", "b"], "  agent:main:main is deleted, and 2 runs of it are stopped; the next message there begins a new one"],
])("says what was stopped with it: %j", (killed, said) => {
  expect(formatDeleted({ key: "agent:main:main", sessionId: "s", killed })).toBe(said);
});

test.each([
  ["y\n", true],
  ["Yes\n", true],
  ["\n", false],
  ["yesterday\n", false],
  ["n\n", false],
  ["", false],
])("asks, and takes %j as %s", async (typed, isYes) => {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = askYes("Delete? ", { input, output });
  input.end(typed);
  expect(await asked).toBe(isYes);
});
