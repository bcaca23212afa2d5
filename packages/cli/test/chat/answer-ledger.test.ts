import { describe, expect, test } from "vitest";
import { AnswerLedger } from "../../src/chat/answer-ledger.ts";

/** `id: text` is said by the person, `< kind id` answered by the agent. */
function play(lines: readonly string[], ledger: AnswerLedger = new AnswerLedger()): readonly string[] {
  const settled: string[] = [];
  for (const line of lines) {
    const [first = "", second = "", third = ""] = line.split(/:? /);
    const message =
      first === "<"
        ? { id: third, role: "assistant" as const, kind: second, text: "…", at: 0 }
        : { id: first, role: "user" as const, kind: "message", text: line.slice(first.length + 2), at: 0 };
    const { answered, dropped } = ledger.add(message);
    if (answered !== undefined) settled.push(`${message.id} → ${answered}`);
    if (dropped !== undefined) settled.push(`${dropped} dropped`);
  }
  return settled;
}

describe("which message an answer answers", () => {
  test.each([
    ["turns, one after the other", ["a: one", "b: two", "< reply x.0", "< notice y.0"], ["x.0 → a", "y.0 → b"]],
    ["commands beside turns", ["a: one", "b: /status", "< command x.0", "< reply y.0"], ["x.0 → b", "y.0 → a"]],
    ["the parts of a long answer", ["a: one", "b: two", "< reply x.0", "< reply x.1"], ["x.0 → a", "x.1 → a"]],
    ["a completion that nobody asked for", ["a: one", "< completion x.0", "< reply y.0"], ["y.0 → a"]],
    ["a command that is none", ["a: /frob", "< reply x.0"], ["x.0 → a"]],
    ["an answer to nothing", ["< reply x.0"], []],
    ["a message that came twice", ["a: one", "a: one", "< reply x.0", "< reply y.0"], ["x.0 → a"]],
    [
      "a stop: the running message gets none, the one behind it does",
      ["a: slow", "b: two", "c: /stop", "< command x.0", "< reply y.0"],
      ["x.0 → c", "a dropped", "y.0 → b"],
    ],
    ["a stop of nothing", ["a: /stop", "b: two", "< command x.0", "< reply y.0"], ["x.0 → a", "y.0 → b"]],
    ["the message behind /new", ["a: /new two", "< command x.0", "< reply y.0"], ["x.0 → a", "y.0 → a+"]],
    ["a bare /reset", ["a: /reset", "b: two", "< command x.0", "< reply y.0"], ["x.0 → a", "y.0 → b"]],
  ])("%s", (_name, lines, settled) => {
    expect(play(lines)).toEqual(settled);
  });

  test("what an idle gateway left without an answer is forgotten", () => {
    const ledger = new AnswerLedger();
    play(["a: kept back by a tap"], ledger);
    ledger.forgetOwed(ledger.listOwed());
    expect(play(["b: two", "< reply x.0"], ledger)).toEqual(["x.0 → b"]);
  });
});
