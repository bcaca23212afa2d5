import { expect, test } from "vitest";
import { blankComments, findPlaces, parseSource, readSources } from "./source-file.ts";

/** Platforms and their libraries, also inside longer names. The core and the contract know none of them. */
const CHANNEL = /[\w./-]*(discord|telegram|grammy|slack|whatsapp|webchat|mattermost|msteams)[\w./-]*/gi;
const CHANNEL_FREE: readonly string[] = ["packages/core/src/", "packages/plugin-sdk/src/"];

const sources = readSources().filter(({ path }) => CHANNEL_FREE.some((folder) => path.startsWith(folder)));

test("there are sources to look at", () => {
  expect(sources.length).toBeGreaterThan(0);
});

test("the core and the contract name no channel outside comments", () => {
  expect(sources.flatMap((file) => findPlaces(file.path, blankComments(file), CHANNEL))).toEqual([]);
});

test("a seeded name is found, one in a comment is not", () => {
  const file = parseSource(
    "seeded.ts",
    '// as Telegram does\nif (channel === "discord") sendSlackMessage(); /* grammY */',
  );
  expect(findPlaces(file.path, blankComments(file), CHANNEL)).toEqual([
    "seeded.ts:2 discord",
    "seeded.ts:2 sendSlackMessage",
  ]);
});
