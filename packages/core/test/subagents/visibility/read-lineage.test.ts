import { expect, it } from "vitest";
import { parseSessionRow } from "../../../src/sessions/session-record.ts";
import { readLineage } from "../../../src/subagents/visibility/read-lineage.ts";
import { buildSpawned, createSpawnedReads, type Parents } from "../../sessions/tree/spawned-records.ts";

it.each<[string, Parents, string]>([
  ["is itself where nobody spawned it", { leaf: "" }, "leaf"],
  ["leads to the top", { leaf: "middle", middle: "root", root: "" }, "leaf middle root"],
  ["names the one above it also where that is gone", { leaf: "middle" }, "leaf middle"],
  ["names nobody twice", { leaf: "middle", middle: "leaf" }, "leaf middle"],
])("the lineage of a session %s", async (_, parents, lineage) => {
  const { leaf = "" } = parents;
  const record = parseSessionRow(buildSpawned("leaf", leaf));
  expect((await readLineage(record, createSpawnedReads(parents))).join(" ")).toBe(lineage);
});
