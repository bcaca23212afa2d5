import { describe, test } from "vitest";
import { CHOSEN_ANCHOR_DOORS, nameAnchorDoor } from "./anchor-story.ts";
import { drawTreePair, LATE_STARTS, nameTreePoint, TREE_DOORS, TREE_POINTS } from "./tree-point.ts";
import { TREE_STORIES, tellLateStart, tellSureTreeDeaths, tellTreeDeathAtDoor, tellTreeDeaths } from "./tree-story.ts";

const PAIRS = 10;

describe("a process killed while sub-agents work goes on as if it had not been", () => {
  for (const point of TREE_POINTS) {
    test(nameTreePoint(point), () => tellSureTreeDeaths(TREE_STORIES[point.story], point.plans));
  }
});

describe("a process killed while the platform is being told of sub-agents goes on as if it had not been", () => {
  for (const [story, call] of TREE_DOORS) {
    test(`${story}: ${call} is taken, and its answer never read`, () => tellTreeDeathAtDoor(TREE_STORIES[story], call));
  }
  for (const { story, call, ...door } of CHOSEN_ANCHOR_DOORS) {
    test(nameAnchorDoor({ story, call, ...door }), () => tellTreeDeathAtDoor(TREE_STORIES[story], call, door));
  }
});

describe("a process killed before it knows what Discord has taken finds it again, also when Discord has forgotten the key", () => {
  for (const plan of LATE_STARTS) {
    test(`${plan.point} (${plan.hit})`, () => tellLateStart(TREE_STORIES.discord, plan));
  }
});

describe("a process killed twice while sub-agents work goes on as if it had not been", () => {
  for (let seed = 1; seed <= PAIRS; seed += 1) {
    const pair = drawTreePair(seed);
    test(`seed ${seed}: ${nameTreePoint(pair)}`, () => tellTreeDeaths(TREE_STORIES[pair.story], pair.plans));
  }
});
