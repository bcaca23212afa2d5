import type { Update } from "grammy/types";
import { describe, expect, test } from "vitest";
import {
  type AlbumState,
  decideAlbumEnd,
  decideAlbums,
  decideAskMs,
  MAX_WAIT_MS,
  SLOW_AFTER_MS,
} from "../../src/intake/album-decision.ts";

/** Updates in a row from an id on, by the names of their albums; `-` is a message of its own, ` ` one that is not there. */
function list(names: string, firstId = 1): readonly Update[] {
  return [...names].flatMap((name, index) => {
    if (name === " ") return [];
    const id = firstId + index;
    // Capitals are another chat.
    const chat = { id: name === name.toLowerCase() ? 1 : 2, type: "private", first_name: "Ada" } as const;
    const message = { message_id: id, date: 1, chat, from: { id: 1, is_bot: false, first_name: "Ada" } };
    return { update_id: id, message: { ...message, ...(!"-_".includes(name) && { media_group_id: name }) } };
  });
}

const START: AlbumState = { held: { pieces: [], missing: [] }, nextId: 1 };
const POSTED = { isPosted: true, isJoined: () => false };

function idsOf(updates: readonly Update[]): readonly number[] {
  return updates.map(({ update_id: id }) => id);
}

describe("of updates that come together", () => {
  test.each<[names: string, ready: readonly number[], held: readonly number[], missing: readonly number[]]>([
    ["---", [1, 2, 3], [], []],
    ["-aa", [1], [2, 3], []],
    ["aa-", [1, 2, 3], [], []],
    ["aab", [1, 2], [3], []],
    ["aAaA", [], [1, 2, 3, 4], []],
    ["aAa-", [1, 3, 4], [2], []],
    ["aaaaaaaaaaa", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [11], []],
    ["a a-", [4], [1, 3], [2]],
    [" aa", [], [2, 3], [1]],
    [" aa-", [4], [2, 3], [1]],
  ])("%j: some are ready, the pieces are held", (names, ready, held, missing) => {
    const decision = decideAlbums(list(names), START, POSTED);
    expect([idsOf(decision.ready), idsOf(decision.held.pieces), decision.held.missing]).toEqual([ready, held, missing]);
  });

  test("nothing is missing in what is polled", () => {
    const decision = decideAlbums(list("a a-"), START, { ...POSTED, isPosted: false });
    expect([idsOf(decision.ready), decision.held]).toEqual([[1, 3, 4], { pieces: [], missing: [] }]);
  });

  test("what comes again is neither held nor ready a second time", () => {
    const once = decideAlbums(list("ab"), START, POSTED);
    const again = decideAlbums(list("ab"), once, { ...POSTED, isJoined: (id) => id === 1 });
    expect([idsOf(once.ready), idsOf(once.held.pieces)]).toEqual([[1], [2]]);
    expect([again.ready, again.held]).toEqual([[], once.held]);
  });

  test("a late one is no longer missing", () => {
    const early = decideAlbums(list("a a"), START, POSTED);
    expect(early.held.missing).toEqual([2]);
    const late = decideAlbums(list("a", 2), early, POSTED);
    expect([idsOf(late.held.pieces), late.held.missing]).toEqual([[1, 3, 2], []]);
    expect(idsOf(decideAlbums(list("-", 4), late, POSTED).ready)).toEqual([1, 3, 2, 4]);
  });

  test.each([
    ["a hundred others after an album end it", 0, [1, 2]],
    ["unless one in between is missing", 1, []],
  ] as const)("%s: %i", (_, skipped, ready) => {
    const album = decideAlbums(list("aa"), START, POSTED);
    // Another chat's album each, so that no chat goes on.
    const others = decideAlbums(list("A".repeat(9) + "B".repeat(9), 3 + skipped), album, POSTED);
    const later = { held: { ...others.held, pieces: list("aa") }, nextId: 102 };
    expect(idsOf(decideAlbums([], later, POSTED).ready)).toEqual(ready);
  });
});

describe("a second after its last piece, an album", () => {
  const pieces = list("aa");
  const state = (nextId: number, missing: readonly number[] = []): AlbumState => ({
    held: { pieces, missing },
    nextId,
  });
  const first = { earlierMs: 0, waitedMs: 0, endId: undefined };

  test.each<[what: string, ...Parameters<typeof decideAlbumEnd>, end: ReturnType<typeof decideAlbumEnd>]>([
    ["is whole when nothing waits at Telegram", pieces, state(3), first, 0, "whole"],
    [
      "waits for what waited there at the first answer",
      pieces,
      state(3),
      first,
      4,
      { earlierMs: 0, waitedMs: 1000, endId: 7 },
    ],
    [
      "waits where Telegram does not answer",
      pieces,
      state(3),
      first,
      undefined,
      { earlierMs: 0, waitedMs: 1000, endId: undefined },
    ],
    ["is whole when all that has come", pieces, state(7), { earlierMs: 0, waitedMs: 1000, endId: 7 }, 9, "whole"],
    [
      "waits for one that was passed over",
      pieces,
      state(7, [4]),
      { earlierMs: 0, waitedMs: 1000, endId: 7 },
      9,
      { earlierMs: 0, waitedMs: 2000, endId: 7 },
    ],
    [
      "waits for one before its own first piece",
      pieces,
      state(7, [0]),
      { earlierMs: 0, waitedMs: 1000, endId: 7 },
      9,
      { earlierMs: 0, waitedMs: 2000, endId: 7 },
    ],
    [
      "does not wait for one after all those",
      pieces,
      state(9, [8]),
      { earlierMs: 0, waitedMs: 1000, endId: 7 },
      9,
      "whole",
    ],
    [
      "is whole when a hundred others came",
      pieces,
      state(102),
      { earlierMs: 0, waitedMs: 1000, endId: 900 },
      500,
      "whole",
    ],
    [
      "is late where others go on without the one that was passed over for longer than Telegram holds any back",
      pieces,
      state(7, [4]),
      { earlierMs: 0, waitedMs: SLOW_AFTER_MS - 1_000, endId: 7 },
      9,
      "late",
    ],
    [
      "waits on where what waited there has not come",
      pieces,
      state(3),
      { earlierMs: 0, waitedMs: SLOW_AFTER_MS - 1_000, endId: 7 },
      4,
      { earlierMs: 0, waitedMs: SLOW_AFTER_MS, endId: 7 },
    ],
    [
      "is late at the bound, which an earlier process has begun to count",
      pieces,
      state(3),
      { earlierMs: MAX_WAIT_MS - SLOW_AFTER_MS, waitedMs: SLOW_AFTER_MS - 1_000, endId: 7 },
      4,
      "late",
    ],
    [
      "waits after a start for what waited at Telegram meanwhile, also where the bound is over",
      pieces,
      state(3),
      { earlierMs: 2 * MAX_WAIT_MS, waitedMs: 0, endId: undefined },
      4,
      { earlierMs: 2 * MAX_WAIT_MS, waitedMs: 1_000, endId: 7 },
    ],
    ["is late at the bound", pieces, state(3), { earlierMs: 0, waitedMs: MAX_WAIT_MS - 1_000, endId: 7 }, 4, "late"],
  ])("%s", (_, album, at, wait, waiting, end) => {
    expect(decideAlbumEnd(album, at, wait, waiting)).toEqual(end);
  });

  test("asks each second, and rarely when that has taken long", () => {
    expect([0, SLOW_AFTER_MS - 1, SLOW_AFTER_MS].map((waitedMs) => decideAskMs({ waitedMs }))).toEqual([
      1_000, 1_000, 30_000,
    ]);
  });
});
