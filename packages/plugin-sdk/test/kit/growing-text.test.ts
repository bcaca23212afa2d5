import { describe, expect, it } from "vitest";
import { createManualClock, cutGrowingMarkdown, GrowingText } from "../../src/kit/index.ts";

/** A text of which every second is shown, and what was shown of it; `answers`: what each call is told, in order. */
function openText(answers: (number | undefined)[] = [], refreshMs?: number) {
  const clock = createManualClock();
  const shown: string[] = [];
  const text = new GrowingText({
    clock,
    firstAfterMs: 500,
    nextAfterMs: (ageMs) => 1_000 + ageMs,
    ...(refreshMs !== undefined && { refreshMs }),
    async show(words) {
      shown.push(words);
      return answers.shift();
    },
  });
  const passes = async (ms: number) => {
    clock.advance(ms);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, shown, text, passes };
}

describe("a growing text", () => {
  it("shows the newest words, at its pace, which may change with its age", async () => {
    const { shown, text, passes } = openText();
    for (const words of ["a", "a b"]) text.grow(words);
    await passes(499);
    expect(shown).toEqual([]);
    await passes(1);
    text.grow("a b c");
    await passes(1_000);
    text.grow("a b c d");
    await passes(1_000);
    expect(shown).toEqual(["a b", "a b c"]);
    await passes(1_000);
    expect(shown).toEqual(["a b", "a b c", "a b c d"]);
  });

  it("shows what was not its turn when it is told to, with the words of then", async () => {
    const { shown, text, passes } = openText([7_000]);
    text.grow("a");
    await passes(500);
    expect(text.wasShown).toBe(false);
    text.grow("a b");
    await passes(6_999);
    expect(shown).toEqual(["a"]);
    await passes(1);
    expect([shown, text.wasShown]).toEqual([["a", "a b"], true]);
  });

  it("shows unchanged words again where they would vanish, and nothing when it is over", async () => {
    const { clock, shown, text, passes } = openText([], 20_000);
    text.grow("a");
    await passes(500);
    await passes(20_000);
    expect(shown).toEqual(["a", "a"]);
    await text.stop();
    text.grow("a b");
    await passes(60_000);
    expect([shown, clock.pending]).toEqual([["a", "a"], 0]);
  });
});

it("Markdown that is cut closes its fence, and no character is cut in half", () => {
  expect(cutGrowingMarkdown("```\nab", 100)).toEqual({ markdown: "```\nab\n```", isInFence: true });
  expect(cutGrowingMarkdown("```\na\n```\nb", 100)).toEqual({ markdown: "```\na\n```\nb", isInFence: false });
  expect(cutGrowingMarkdown("ab🌳", 3)).toEqual({ markdown: "ab", isInFence: false });
});
