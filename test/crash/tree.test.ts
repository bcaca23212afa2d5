import { describe, test } from "vitest";
import { TREE_POINTS } from "./tree-point.ts";
import { TREE_STORIES, tellTreeDeath } from "./tree-story.ts";

const LIMIT_MS = 60_000;

describe("a process killed while sub-agents work goes on as if it had not been", () => {
  for (const { story, plan } of TREE_POINTS) {
    test.concurrent(`${story}: ${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () =>
      tellTreeDeath(TREE_STORIES[story], plan),
    );
  }
});
