import { PassThrough } from "node:stream";
import type { DeliveryRow } from "@banyan/store";
import { expect, test } from "vitest";
import { formatDeliveries, formatDeliveryJson } from "../../src/commands/outbox-list.ts";

const NOW = 1_000_000;
const ROW: DeliveryRow = {
  id: "9f3a0000-aaaa.0",
  deliveryId: "9f3a0000-aaaa",
  part: 0,
  of: 1,
  kind: "completion",
  channel: "telegram",
  account: "default",
  address: "telegram/default/dm/7550",
  chat: "telegram/default/dm/7550",
  policy: "at-least-once",
  state: "pending",
  attempts: 2,
  maybeRepeated: false,
  nextAtMs: NOW + 8_000,
  error: "429, retry after 10 s",
  createdAtMs: NOW,
  pos: 1,
  body: JSON.stringify({ text: "words\nin docs" }),
};

function show(...rows: readonly DeliveryRow[]): readonly string[] {
  return formatDeliveries(rows, { now: NOW, stream: new PassThrough() });
}

test("each delivery is one line: where to, what, how often, when next, why", () => {
  expect(show(ROW)).toEqual([
    "  ID         TO                WHAT                        STATE    TRIES  NEXT",
    "  9f3a0000…  telegram dm 7550  completion “words in docs”  pending  2      in 8 s  429, retry after 10 s",
  ]);
});

test("ids are as long as it takes to tell them apart", () => {
  const [, first, second] = show(ROW, { ...ROW, id: "9f3a0000-bbbb.0" });
  expect([first, second].map((line) => line?.trim().split(" ")[0])).toEqual(["9f3a0000-a…", "9f3a0000-b…"]);
});

test.each<[string, Partial<DeliveryRow>, string]>([
  ["an account that is not the default", { address: "irc/eu/group/x/t" }, "irc/eu group x thread t"],
  ["a part of a long message", { part: 1, of: 3 }, "completion 2/3"],
  ["one that is being sent", { state: "sending" }, "under way"],
  ["one that is over", { state: "undeliverable" }, "undeliverable  2      -"],
  ["an error without escape sequences", { error: "\u001b[31mno\u001b[0m" }, "in 8 s  no"],
])("shows %s", (_name, change, text) => {
  expect(show({ ...ROW, ...change })[1]).toContain(text);
});

test("a completion is called by its run", () => {
  const completion = { label: "words 1/3", task: "count words in docs/a" };
  const show1 = (announcement: object) =>
    show({ ...ROW, body: JSON.stringify({ text: "a\nresult", announcement }) })[1];
  expect(show1({ completion, alsoRunIds: [] })).toContain(" completion “words 1/3”  pending ");
  expect(show1({ completion, alsoRunIds: ["b", "c"] })).toContain(" completion “words 1/3” and 2 more  pending ");
  expect(show1({ completion: { task: completion.task }, alsoRunIds: [] })).toContain(
    " completion “count words in docs/a” ",
  );
});

test("nothing is said in a sentence", () => {
  expect(show()).toEqual(["  nothing: every message was delivered or given up"]);
});

test("the document for scripts holds the text", () => {
  expect(formatDeliveryJson(ROW)).toMatchObject({ id: ROW.id, state: "pending", text: "words\nin docs" });
});
