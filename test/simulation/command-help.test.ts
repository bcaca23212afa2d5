import { expect, test } from "vitest";
import { formatHelp } from "./command-help.ts";
import { DEFECTS } from "./defects/all-defects.ts";

const NAMES = DEFECTS.map(({ name }) => name);

test("the help names every known mistake that can be put in, in lines that fit a terminal", () => {
  const help = formatHelp(NAMES);
  const [, listed = ""] = help.split("put a known mistake in:");
  expect(listed.split(",").map((name) => name.trim())).toEqual(NAMES);
  expect(help.split("\n").filter((line) => line.length > 120 || line.endsWith(" "))).toEqual([]);
});
