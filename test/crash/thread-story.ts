import { openThreadPlace } from "./thread-place.ts";
import type { TreeStory } from "./tree-world.ts";

/** A person spawns one with a thread that stays, talks in it and frees it, and one whose thread closes behind it. */
export const THREADS: TreeStory = {
  openPlace: () => openThreadPlace(["✅ census open", "✅ walk archived"]),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --thread --label census count the trees");
    await world.hears(/^census: heard: count the trees/);
    await world.says("and the birds", "census");
    await world.hears(/^census: heard: and the birds/);
    await world.says("/unfocus", "census");
    await world.says("/spawn --thread --mode run --label walk walk about");
  },
  hears: [
    /^🌱 .*census.* is at work/,
    /^census: heard: count the trees/,
    /^✅ .*census.* done in .*heard: count the trees/s,
    /^census: heard: and the birds/,
    /^census: This thread is free again/,
    /^🌱 .*walk.* is at work/,
    /^walk: heard: walk about/,
    /^walk: ✅ “walk” is done and has left this thread/,
    /^✅ .*walk\*\* · done in .*heard: walk about/s,
  ],
  end: { runs: { complete: 2 }, timers: ["archive"], bindings: 0, archived: 0 },
};

/** The thread's time is over. */
export const EXPIRY: TreeStory = {
  openPlace: () => openThreadPlace(["✅ census archived"]),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --thread --label census count the trees");
    await world.hears(/^census: heard: count the trees/);
    await world.says("/session max-age 10s", "census");
  },
  hears: [
    /^🌱 .*census.* is at work/,
    /^census: heard: count the trees/,
    /^✅ .*census.* done in .*heard: count the trees/s,
    /^census: This thread belongs to its sub-agent .* at most for 10 s/,
    /^census: 🍂 The sub-agent has left this thread/,
  ],
  end: { runs: { complete: 1 }, timers: [], bindings: 0, archived: 0 },
};
