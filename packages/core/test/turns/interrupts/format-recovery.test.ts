import type { ContentPart, TranscriptEntry } from "@banyan/plugin-sdk";
import { describe, expect, test } from "vitest";
import { formatRecovery } from "../../../src/turns/interrupts/format-recovery.ts";

const kinds = {
  text: "message",
  tool_call: "tool_call",
  tool_result: "tool_result",
  completion: "completion",
} as const;

function entry(role: TranscriptEntry["role"], part: ContentPart): TranscriptEntry {
  const kind = part.type === "text" || part.type.startsWith("tool") ? part.type : "text";
  return { id: "e", seq: 1, timestamp: 0, role, kind: kind === "text" ? kinds.text : "tool_call", content: [part] };
}

const asked = entry("user", { type: "text", text: "pay  the\nbill" });
const said = entry("assistant", { type: "text", text: "I am about to pay" });
const call = (ordinal: number) =>
  entry("assistant", { type: "tool_call", ordinal, name: "pay", args: { sum: ordinal } });
const result = (ordinal: number) =>
  entry("tool", { type: "tool_result", ordinal, name: "pay", text: "x".repeat(400), isError: ordinal === 1 });

describe("what an agent reads of a turn that was cut off", () => {
  test("what it was asked, what it had said, its calls with their ends, and those whose end nobody knows", () => {
    const { label, text } = formatRecovery([[asked, call(1), result(1), call(2), said]], { speakerId: "7" });
    expect(label).toBe("what was cut off");
    expect(text.split("\n").slice(1)).toEqual([
      "It was asked: “pay the bill”",
      "It had said: I am about to pay",
      "Its calls:",
      `- pay {"sum":1} failed: ${"x".repeat(300)}…`,
      "Calls under way whose effects are unknown; check before you repeat one:",
      '- pay {"sum":2}',
    ]);
  });

  test("set back: that its calls were made, not what was found out or said", () => {
    const { text } = formatRecovery([[asked, call(1), result(1), said]], { isSetBack: true, speakerId: "7" });
    expect(text).toContain('Its calls:\n- pay {"sum":1}');
    expect(text).not.toMatch(/xxx|about to pay/);
  });

  test("of many calls the last ones, of much text the end", () => {
    const many = Array.from({ length: 40 }, (_, at) => [call(at), result(at)]).flat();
    const long = entry("assistant", { type: "text", text: `${"a".repeat(5_000)}end` });
    const { text } = formatRecovery([[asked, ...many, long]], { speakerId: "7" });
    expect(text).toContain("- … (10 before these)");
    expect(text).toMatch(/It had said: …a{1997}end\n/);
  });

  test("what somebody else had asked for stands under his name, as he has chosen it, and his id", () => {
    const by = (id: string) => ({ ...asked, sender: { id, displayName: 'Bob" (7)' } });
    expect(formatRecovery([[by("8")]], { speakerId: "7" }).text).toContain(
      String.raw`It was asked: “pay the bill” by "Bob\" (7)" (8)`,
    );
    expect(formatRecovery([[by("7")]], { speakerId: "7" }).text).toMatch(/It was asked: “pay the bill”$/);
  });

  test("of many turns the latest, and how many there were before; of one the beginning", () => {
    const calls = Array.from({ length: 30 }, (_, at) => [call(at), result(at)]).flat();
    const { text } = formatRecovery([[asked], [asked, ...calls], [asked, ...calls]], { speakerId: "7" });
    expect(text).toMatch(/^\(2 turns before were cut off as well\.\)\n\nA newer message/);
    expect(text.length).toBeLessThan(16_100);
    const huge = Array.from({ length: 60 }, (_, at) => entry("user", { type: "text", text: `${at} `.repeat(300) }));
    expect(formatRecovery([huge], { speakerId: "7" }).text).toHaveLength(16_000);
  });
});
