import { expect, it } from "vitest";
import { MOST_ANCESTORS, walkUp } from "../../../src/sessions/tree/walk-up.ts";
import { createSpawnedReads, type Parents } from "./spawned-records.ts";

async function climb(key: string, parents: Parents): Promise<string> {
  const seen: string[] = [];
  for await (const { key: at, row } of walkUp(key, createSpawnedReads(parents))) {
    seen.push(row === undefined ? `(${at})` : at);
  }
  return seen.join(" ");
}

it.each<[string, Parents, string]>([
  ["leads to the top", { leaf: "middle", middle: "root", root: "" }, "leaf middle root"],
  ["ends at what is gone", { leaf: "middle", middle: "root" }, "leaf middle (root)"],
  ["ends where it comes to itself", { leaf: "leaf" }, "leaf"],
  ["ends where records above it lead in a circle", { leaf: "one", one: "other", other: "one" }, "leaf one other"],
])("the way up from a session %s", async (_, parents, way) => {
  expect(await climb("leaf", parents)).toBe(way);
});

it("the way up from a session is no longer than any tree is deep", async () => {
  const endless = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}`, `s${at + 1}`]));
  expect((await climb("s0", endless)).split(" ")).toHaveLength(MOST_ANCESTORS);
});
