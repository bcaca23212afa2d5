import { describe, test } from "vitest";
import { BUSY_CHAT_POINTS, drawPair, KILL_POINTS, STOP_POINTS, WIRE_POINTS } from "./crash-point.ts";
import {
  tellDeathAtStop,
  tellDeathAtTheDoor,
  tellDeathBehindAnother,
  tellOneDeath,
  tellTwoDeaths,
} from "./crash-story.ts";

const LIMIT_MS = 60_000;
const PAIRS = 20;

describe("a process killed at a durable point loses nothing and repeats nothing unmarked", () => {
  for (const plan of KILL_POINTS) {
    test.concurrent(`${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellOneDeath(plan));
  }
  for (const plan of BUSY_CHAT_POINTS)
    test.concurrent(`${plan.point} (${plan.hit})`, { timeout: LIMIT_MS }, () => tellDeathBehindAnother(plan));
  for (const plan of STOP_POINTS) test.concurrent(plan.point, { timeout: LIMIT_MS }, () => tellDeathAtStop(plan));
});

describe("a process killed while the platform is being told loses nothing and repeats nothing unmarked", () => {
  for (const door of WIRE_POINTS) test.concurrent(door.name, { timeout: LIMIT_MS }, () => tellDeathAtTheDoor(door));
});

describe("a process killed twice loses nothing and repeats nothing unmarked", () => {
  for (let seed = 1; seed <= PAIRS; seed += 1) {
    const plans = drawPair(seed);
    const name = plans.map(({ point, hit }) => `${point} (${hit})`).join(", then ");
    test.concurrent(`seed ${seed}: ${name}`, { timeout: LIMIT_MS }, () => tellTwoDeaths(plans));
  }
});
