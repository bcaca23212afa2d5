import { describe, test } from "vitest";
import { nameTreePoint, TREE_POINTS } from "./tree-point.ts";
import { TREE_STORIES, tellSureTreeDeaths } from "./tree-story.ts";

const LIMIT_MS = 60_000;

describe("a process killed while sub-agents work goes on as if it had not been", () => {
  for (const point of TREE_POINTS) {
    test.concurrent(nameTreePoint(point), { timeout: LIMIT_MS }, () =>
      tellSureTreeDeaths(TREE_STORIES[point.story], point.plans),
    );
  }
});
