import { createManualClock } from "@banyan/plugin-sdk/kit";
import type { Update } from "grammy/types";
import { expect, it } from "vitest";
import { countReady, createAlbumWait } from "../../src/updates/album-wait.ts";

/** Updates by the names of their albums; `-` is a message of its own. */
function list(names: string): readonly Update[] {
  const chat = { id: 1, type: "private", first_name: "Ada" } as const;
  return [...names].map((name, index) => {
    const message = { message_id: index, date: 1, chat, from: { id: 1, is_bot: false, first_name: "Ada" } };
    return { update_id: index, message: { ...message, ...(name !== "-" && { media_group_id: name }) } };
  });
}

it.each([
  ["", "", 0],
  ["---", "", 3],
  ["-aa", "a", 1],
  ["aa-", "a", 0],
  ["aa-", "", 3],
  ["aabb", "b", 2],
  ["abab", "b", 0],
  ["-ab-ba", "b", 1],
  ["abacbc", "c", 0],
  ["aaaaaaaaaa-b", "ab", 11],
])("of %j, while %j may grow, the first %i can be taken in", (names, open, count) => {
  expect(countReady(list(names), (album) => open.includes(album.slice(2)))).toBe(count);
});

it("T49: waits a second from the first piece on, and not longer for a second one", () => {
  const clock = createManualClock();
  const wait = createAlbumWait(clock);
  expect(wait.decide(list("-a"))).toEqual({ count: 1, waitMs: 1000 });
  clock.advance(600);
  expect(wait.decide(list("aa"))).toEqual({ count: 0, waitMs: 400 });
  clock.advance(400);
  expect(wait.decide(list("aa-"))).toEqual({ count: 3, waitMs: 0 });
  expect(wait.decide(list("a"))).toEqual({ count: 0, waitMs: 1000 });
});

it("waits no longer than five seconds where albums begin within one another without end", () => {
  const clock = createManualClock();
  const wait = createAlbumWait(clock);
  let names = "";
  for (const name of "abcdefgh") {
    names = `${name}${names}${name}`;
    if (wait.decide(list(names)).count > 0) break;
    clock.advance(900);
  }
  expect(clock.monotonic()).toBe(5400);
});
