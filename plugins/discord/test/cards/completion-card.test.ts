import { type Announcement, type Completion, formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it, test } from "vitest";
import { buildCompletionCard } from "../../src/cards/completion-card.ts";

const nap: Completion = {
  runId: "0b5a3f0e-6f3d-4a53-9f0b-3a1d6ef0a001",
  childSessionKey: "agent:oak:subagent:1",
  label: "nap",
  task: "sleep for a while",
  outcome: "done",
  result: "I slept **well**.",
  durationMs: 4_100,
  totalTokens: 1_200,
  costUsd: 0.0021,
};
const head = "✅ **nap** · done in 4.1 s · 1200 tokens · $0.0021";
const threadUrl = "https://discord.com/channels/1300000000000000001/1200000000000000003";

function announce(text: string, part: Partial<Completion> = {}, at: readonly [number, number] = [0, 1]): Announcement {
  return {
    delivery: { id: "d1", part: at[0], of: at[1], attempt: 1, createdAt: 0, mayHaveArrived: false },
    completion: { ...nap, ...part },
    target: formatAddress({ channel: "discord", account: "default", kind: "channel", chat: "1200000000000000002" }),
    text,
    requesterSessionKey: "agent:oak:discord:channel:1200000000000000002",
    childSessionKey: nap.childSessionKey,
    runId: nap.runId,
  };
}

describe("a completion in the parent's channel", () => {
  test("is a card with its words below, and a link to the thread", () => {
    expect(buildCompletionCard(announce(`${head}\n\nI slept __well__.`), { threadUrl })).toEqual({
      content: "I slept **well**.",
      embeds: [{ color: 0x3ba55d, title: "✅ nap", description: "done · 4.1 s · 1200 tokens · $0.0021" }],
      components: [
        {
          type: 1,
          components: [
            {
              type: 2,
              style: 5,
              label: "Open thread",
              url: "https://discord.com/channels/1300000000000000001/1200000000000000003",
            },
          ],
        },
      ],
    });
  });

  it.each([
    ["failed", "❌ **nap** · failed after 4.1 s · 1200 tokens · $0.0021", "❌ nap", "failed · 4.1 s"],
    ["timeout", "⏱ **nap** · ran out of time after 4.1 s · 1200 tokens · $0.0021", "⏱ nap", "out of time · 4.1 s"],
    ["killed", "⏹ **nap** · stopped after 4.1 s · 1200 tokens · $0.0021", "⏹ nap", "stopped · 4.1 s"],
    ["interrupted", "⚠ **nap** · interrupted after 4.1 s · 1200 tokens · $0.0021", "⚠ nap", "interrupted · 4.1 s"],
  ] as const)("that %s says so once", (outcome, line, title, description) => {
    const card = buildCompletionCard(announce(`${line}\n\nThe agent threw.`, { outcome }), {});
    expect(card).toMatchObject({
      content: "The agent threw.",
      embeds: [{ title, description: expect.stringContaining(description) }],
    });
  });

  test("says only what is known of its cost", () => {
    const { totalTokens: _, costUsd: __, ...cheap } = nap;
    const card = buildCompletionCard({ ...announce("✅ **nap** · done in 4.1 s"), completion: cheap }, {});
    expect(card).toEqual({
      content: "",
      embeds: [{ color: 0x3ba55d, title: "✅ nap", description: "done · 4.1 s" }],
    });
  });

  test("keeps the words of an agent that tells it itself", () => {
    expect(buildCompletionCard(announce("✅ **nap** is over, all well"), {}).content).toBe(
      "✅ **nap** is over, all well",
    );
  });

  test("is named by its task where it has no label, on one line and not at length", () => {
    const { label: _, ...unnamed } = nap;
    const task = `sleep *long* ${"z".repeat(66)}😀 and deep\nfor long`;
    const card = buildCompletionCard({ ...announce(head), completion: { ...unnamed, task } }, {});
    expect(card.embeds?.[0]?.title).toBe(`✅ sleep \\*long\\* ${"z".repeat(66)}…`);
    expect(buildCompletionCard(announce(head, { label: " " }), {}).embeds?.[0]?.title).toBe("✅ sub-agent");
  });

  test("shows its name as it is: no mention, no link, no emoji", () => {
    const label = "<@123> [x](https://e.org) <:oak:1> @everyone";
    const [embed] = buildCompletionCard(announce(head, { label }), {}).embeds ?? [];
    expect(embed?.title).toBe("✅ \\<@123> [x]\\(https://e.org) \\<:oak:1> \\@everyone");
  });

  test("D3: stays within the limits of a card, whatever it is named", () => {
    const [embed] = buildCompletionCard(announce(head, { label: "*".repeat(1000) }), {}).embeds ?? [];
    expect(embed?.title?.length).toBeLessThanOrEqual(256);
  });

  test("in parts has the card on the first and the buttons on the last", () => {
    const [first, last] = [0, 1].map((part) =>
      buildCompletionCard(announce(part === 0 ? `${head}\n\none` : "two", {}, [part, 2]), { threadUrl }),
    );
    expect(first).toMatchObject({ content: "one", embeds: [{ title: "✅ nap" }] });
    expect(first).not.toHaveProperty("components");
    expect(last).toMatchObject({ content: "two", components: [{ type: 1 }] });
    expect(last).not.toHaveProperty("embeds");
  });
});

describe("the buttons of a completion", () => {
  test("say what a press does", () => {
    const card = buildCompletionCard(announce(head), { retryId: "b1.r.x" });
    const button = { type: 2, style: 2, label: "Try again", custom_id: "b1.r.x" };
    expect(card.components).toEqual([{ type: 1, components: [button] }]);
  });
});
