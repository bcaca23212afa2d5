import { expect, test } from "vitest";
import { listLoneFiles } from "./lone-file.ts";
import { readSources } from "./source-file.ts";

/** Folders in which a short file with a single importer is refused. The others follow as they are renovated. */
const ROOMS: readonly string[] = ["commands", "hooks", "inbound", "lanes", "outbound", "ports"].map(
  (room) => `packages/core/src/${room}/`,
);

test("each of these rooms has files", () => {
  const paths = readSources().map(({ path }) => path);
  expect(ROOMS.filter((room) => !paths.some((path) => path.startsWith(room)))).toEqual([]);
});

test("a short file that only one other file imports is a part of that file", () => {
  expect(listLoneFiles().filter((path) => ROOMS.some((room) => path.startsWith(room)))).toEqual([]);
});
