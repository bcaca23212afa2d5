import { expect, it } from "vitest";
import { decideNextId, decideReady, findAwaited } from "../../src/webhook/update-order.ts";

it.each<[what: string, ids: number[], nextId: number | undefined, isOverdue: boolean, ready: number]>([
  ["the next one", [5], 5, false, 1],
  ["the next ones without a gap", [5, 6, 8], 5, false, 2],
  ["none while an earlier one is missing", [6, 7], 5, false, 0],
  ["all when that was waited for", [6, 7, 9], 5, true, 3],
  ["one that came late", [3, 9], 5, false, 1],
  ["one of another count above", [900, 901], 5, false, 2],
  ["one of another count below", [3], 500, false, 1],
  ["none where nobody knows the next one", [7], undefined, false, 0],
  ["the first ones ever, in their order", [7, 8], undefined, true, 2],
  ["nothing of nothing", [], 5, true, 0],
])("T40: stores %s: %j behind %s (overdue: %s): %i", (_, ids, nextId, isOverdue, ready) => {
  expect(decideReady({ ids, nextId, isOverdue })).toBe(ready);
});

it.each([
  [undefined, 7, 8],
  [8, 8, 9],
  [8, 7, 8],
  [8, 30, 31],
  [500, 3, 4],
])("T38: behind %s and the stored %i it expects %i", (nextId, lastId, expected) => {
  expect(decideNextId(nextId, lastId)).toBe(expected);
});

it.each<[what: string, waiting: string[], seen: string[], held: number[], awaited: number[]]>([
  ["nothing where nothing was seen before", ["5a"], [], [], []],
  ["what comes after one of its chat", ["5a", "6b"], ["4a"], [5], [4]],
  ["nothing that was seen and is here", ["4a", "5a"], ["4a", "5a"], [], []],
  ["what comes after one that is not here, though it was seen too", ["4a", "6a"], ["4a", "5a", "6a"], [6], [5]],
  ["nothing that comes before it", ["3a"], ["4a"], [], []],
  ["no press of a button", ["5-"], ["4a"], [], []],
])("T40: holds %s: %j behind %j", (_, waiting, seen, held, awaited) => {
  const chats = ["a", "b"];
  const read = (text: string) => ({ id: Number(text[0]), chat: chats.indexOf(text[1] ?? "") });
  const found = findAwaited(
    waiting.map(read).map(({ id, chat }) => ({ id, chat: chat < 0 ? undefined : chat })),
    seen.map(read).map((one) => ({ ...one, at: 0 })),
  );
  expect([[...found.held], found.awaited.map(({ id }) => id)]).toEqual([held, awaited]);
});
