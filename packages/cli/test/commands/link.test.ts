import { PassThrough } from "node:stream";
import { parseConfig } from "@banyan/core";
import { expect, test } from "vitest";
import { describeEffect, formatAdded, formatRemoved } from "../../src/commands/link-change.ts";
import { formatLinks } from "../../src/commands/link-list.ts";

test("the list says who is whom, and where it was said", () => {
  const links = [
    { channel: "telegram", peer: "7", person: "ada", isConfigured: true },
    { channel: "webchat", peer: "operator", person: "ada", isConfigured: false },
  ];
  expect(formatLinks(links, new PassThrough())).toEqual([
    "  PERSON  ACCOUNT           BY",
    "  ada     telegram:7        session.identityLinks.ada",
    "  ada     webchat:operator  link",
  ]);
  expect(formatLinks([], new PassThrough())).toEqual([
    "  no linked accounts: /link in a direct chat links one, or banyan link add",
  ]);
});

test("what was linked is told with all of the person's accounts", () => {
  const added = { person: "ada", accounts: ["telegram:7", "webchat:operator"] };
  expect(formatAdded({ ...added, isOld: false })).toEqual(["  telegram:7 and webchat:operator are linked as ada"]);
  expect(formatAdded({ ...added, isOld: true })).toEqual([
    "  telegram:7 and webchat:operator were linked as ada already",
  ]);
});

test.each([
  [{ session: { dmScope: "main" } }, 1],
  [{ session: { scope: "global" } }, 1],
  [{ session: {} }, 0],
])("where all share one conversation it says what a link decides there: %j", (input, count) => {
  const told = describeEffect(parseConfig(input, { folder: "/srv/bot" }));
  expect(told).toHaveLength(count);
  expect(told.every((line) => line.includes("the accounts count as one person there, so each may be let in"))).toBe(
    true,
  );
});

test("what was parted is told with what becomes of the others", () => {
  expect(formatRemoved({ account: "irc:1", person: "ada", goesOnAs: "pnew" })).toEqual([
    "  irc:1 is on its own again",
    "  the others go on as pnew; what was said as ada is kept, and no one continues it",
  ]);
  expect(formatRemoved({ account: "irc:1", person: "ada", goesOnAs: "ada" })).toEqual(["  irc:1 is on its own again"]);
  expect(formatRemoved({ account: "irc:1", person: "ada", alone: "irc:2" })).toEqual([
    "  irc:1 is on its own again",
    "  so is irc:2, which was the only other one",
  ]);
});
