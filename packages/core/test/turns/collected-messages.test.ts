import type { ItemRow } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { isSameTask, listClaimable, sortBacklog } from "../../src/lanes/backlog.ts";
import type { ItemBody } from "../../src/lanes/item-body.ts";
import { decideCollected, formatLeftOut, formatSummary } from "../../src/turns/collected-messages.ts";
import { readTaken } from "../../src/turns/taken-message.ts";

function row(
  seq: number,
  { body: own, ...more }: Partial<Omit<ItemRow, "body">> & { readonly body?: Partial<ItemBody> } = {},
): ItemRow {
  const body = JSON.stringify({ id: `${seq}`, text: `m${seq}`, sender: { id: "7" }, at: 0, ...own });
  const plain = { lane: "a", kind: "message", state: "waiting", address: "irc/default/dm/7", attempt: 0 } as const;
  return { ...plain, seq, receivedAtMs: 0, body, ...more };
}

const rules = { debounceMs: 500, cap: 2, drop: "summarize", interrupt: { resume: "here" } } as const;
const seqs = (rows: readonly { readonly seq: number }[]) => rows.map(({ seq }) => seq);

describe("what a turn takes along", () => {
  test("nothing, while no more wait than may", () => {
    expect(decideCollected([row(2), row(3)], rules)).toEqual({ messages: [] });
  });

  test("in the mode collect as many as may wait", () => {
    expect(seqs(decideCollected([row(2), row(3)], { ...rules, mode: "collect" }).messages)).toEqual([2, 3]);
  });

  test.each(["summarize", "old"] as const)("the oldest of too many: %s", (drop) => {
    const { messages, overflow } = decideCollected([row(2), row(3), row(4), row(5)], { ...rules, drop });
    expect([seqs(messages), overflow]).toEqual([[2, 3], drop]);
  });

  test("of what is no message none, nor what is behind it", () => {
    const waiting = [row(2), row(3, { kind: "completion" }), row(4)];
    expect(seqs(decideCollected(waiting, { ...rules, mode: "collect" }).messages)).toEqual([2]);
  });

  test("each is told by its beginning", () => {
    expect(formatSummary(["a\nb", "c".repeat(300)])).toBe(
      `2 messages came while I was busy, more than may wait. In short, in their order:\n- a b\n- ${"c".repeat(200)}…`,
    );
    expect(formatLeftOut(["a", "b", "c", "d"], 20)).toMatch(/^⚠ 4 messages were left out.*“a”, “b”, “c” and 1 more/);
  });
});

describe("a backlog", () => {
  test("the more urgent first, then in the order in which they came", () => {
    expect(
      seqs(sortBacklog([row(1), row(2, { priority: 8 }), row(3, { priority: 1 }), row(4, { priority: 8 })])),
    ).toEqual([2, 4, 1, 3]);
  });

  test("nothing behind a command is begun, and nothing that runs or is held", () => {
    const open = [row(1, { state: "active" }), row(2), row(3, { state: "held" }), row(4, { kind: "command" }), row(5)];
    expect(seqs(listClaimable(open))).toEqual([2]);
  });

  const quote = { messageId: "9", text: "where?" };
  const pairs: readonly {
    readonly name: string;
    readonly isSame: boolean;
    readonly first?: Partial<ItemBody>;
    readonly second?: Parameters<typeof row>[1];
  }[] = [
    { name: "the same words", isSame: true },
    { name: "the same words, spaced otherwise", isSame: true, second: { body: { text: " dig  the\ngarden " } } },
    { name: "other words", isSame: false, second: { body: { text: "Dig the garden" } } },
    { name: "somebody else's", isSame: false, second: { body: { sender: { id: "8" } } } },
    { name: "at another place", isSame: false, second: { address: "irc/default/dm/8" } },
    { name: "an agent's", isSame: false, second: { kind: "nested" } },
    { name: "with a file", isSame: false, second: { body: { attachments: [{ id: "f" }] } } },
    { name: "one about a message", isSame: false, second: { body: { quote } } },
    { name: "both about one message", isSame: true, first: { quote }, second: { body: { quote } } },
    {
      name: "about two messages",
      isSame: false,
      first: { quote },
      second: { body: { quote: { ...quote, messageId: "10" } } },
    },
  ];
  test.each(pairs)("whether two ask for the same: $name", ({ isSame, first = {}, second = {} }) => {
    const text = "dig the garden";
    const [one, other] = [row(1, { body: { text, ...first } }), row(2, { ...second, body: { text, ...second.body } })];
    expect(isSameTask(readTaken(one), readTaken(other))).toBe(isSame);
  });
});
