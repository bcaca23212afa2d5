import type { ModelMessage } from "ai";
import { expect, it } from "vitest";
import { fitWindow } from "../../src/prompt/fit-window.ts";

/** 100 tokens each, its frame included. */
function message(role: "user" | "assistant", name: string): ModelMessage {
  return { role, content: name.padEnd(276, ".") };
}

const turn = [message("user", "now")];
const history = [message("user", "u1"), message("assistant", "a1"), message("user", "u2"), message("assistant", "a2")];

it.each([
  [625, 0],
  [624, 2],
  [499, 2],
  [374, 4],
  [100, 4],
])("in a window of %i tokens it leaves %i of four messages out", (windowTokens, leftOutCount) => {
  const fitted = fitWindow({ history, turn, otherTokens: 0, windowTokens });
  expect(fitted.leftOutCount).toBe(leftOutCount);
  expect(fitted.head).toHaveLength(leftOutCount === 0 ? 4 : 5 - leftOutCount);
});

it("counts what is sent besides", () => {
  expect(fitWindow({ history, turn, otherTokens: 100, windowTokens: 625 }).leftOutCount).toBe(2);
});
