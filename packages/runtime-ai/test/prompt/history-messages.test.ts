import type { ContentPart, TranscriptEntry } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { buildHistoryMessages } from "../../src/prompt/history-messages.ts";

type Role = TranscriptEntry["role"];

function read(...parts: readonly (readonly [Role, ContentPart])[]) {
  const entries = parts.map(([role, part], at): TranscriptEntry => {
    const kind = part.type === "text" ? "message" : part.type;
    return { id: `${at}`, seq: at, timestamp: 0, kind, role, content: [part] };
  });
  return buildHistoryMessages(entries, false);
}

const call = { type: "tool_call", ordinal: 0, name: "note", args: { text: "a" } } as const;
const result = { type: "tool_result", ordinal: 0, name: "note", text: "kept", isError: false } as const;
const words = (text: string) => ({ type: "text", text }) as const;

it("pairs a call with its result, and keeps turns apart that count from 0 again", () => {
  const messages = read(
    ["tool", call],
    ["tool", result],
    ["assistant", words("done")],
    ["tool", call],
    ["tool", result],
  );
  const ids = messages.flatMap(({ content }) =>
    typeof content === "string"
      ? [content]
      : content.flatMap((part) => ("toolCallId" in part ? [part.toolCallId] : [])),
  );
  expect(ids).toEqual(["call_0_0", "call_0_0", "done", "call_3_0", "call_3_0"]);
});

it("gives a call that nobody knows the end of a result that says so", () => {
  expect(read(["tool", call], ["user", words("and?")])[1]).toMatchObject({
    role: "tool",
    content: [{ output: { type: "error-text", value: expect.stringContaining("No result is known") } }],
  });
});

it("leaves out a result whose call is not there, and words that are none", () => {
  expect(read(["tool", result], ["assistant", words("  ")])).toEqual([]);
});

it("reads what the host noted as said to the model, never as its own words", () => {
  expect(read(["system", words("The conversation was reset.")])).toEqual([
    { role: "user", content: "The conversation was reset." },
  ]);
});
