import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it } from "vitest";
import { createEchoRuntime } from "../../src/index.ts";

it.each([
  ["plain text", "hello"],
  ["white space at the ends", "  two spaces, a break\n"],
  ["markup and mentions", "**@everyone** `x` <b>"],
  ["a long text in one piece", "x".repeat(100_000)],
])("answers exactly %s", async (_name, text) => {
  const desk = new TurnDesk();
  const session = await desk.open(createEchoRuntime());
  const events = await readAll(session.run(desk.turn(text)));
  expect(events).toEqual([
    { type: "text", delta: text },
    { type: "end", reason: "done" },
  ]);
});

it("answers nothing to nothing, and joins several messages by lines", async () => {
  const desk = new TurnDesk();
  const session = await desk.open(createEchoRuntime());
  expect(await readAll(session.run(desk.turn("")))).toEqual([{ type: "end", reason: "done" }]);
  const both = desk.turn([
    { kind: "message", text: "one" },
    { kind: "message", text: "two" },
  ]);
  expect(textOf(await readAll(session.run(both)))).toBe("one\ntwo");
});

it("never reads the history", async () => {
  const desk = new TurnDesk();
  const session = await desk.open(createEchoRuntime());
  await readAll(session.run(desk.turn("hello")));
  expect(desk.historyReads).toBe(0);
});
