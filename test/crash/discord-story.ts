import { openDiscordPlace } from "./discord-place.ts";
import type { TreeStory } from "./tree-world.ts";

/**
 * On Discord a person spawns one with a thread that stays, talks in it and frees it, and one whose thread closes behind it
 * and whose result takes several messages; and talks in a direct chat.
 */
export const DISCORD: TreeStory = {
  // What was said before the very first start is told by the clock, which therefore is not hurried.
  hurry: 1,
  openPlace: () => openDiscordPlace(["✅ census open", "✅ walk archived"]),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --thread --label census count the trees");
    await world.hears(/^census: heard: count the trees/);
    await world.says("and the birds", "census");
    await world.hears(/^census: heard: and the birds/);
    await world.says("/unfocus", "census");
    await world.says("/spawn --thread --mode run --label walk recite 500");
    await world.says("good morning", "dm");
  },
  hears: [
    /^🌱 \*\*census\*\* \(`/,
    /^✅ \*\*census\*\* is done\.$/,
    /^census: 🌱 .*census.* works here/,
    /^census: heard: count the trees/,
    /^heard: count the trees\s+✅ census/,
    /^census: heard: and the birds/,
    /^census: This thread is free again/,
    /^🌱 \*\*walk\*\* \(`/,
    /^✅ \*\*walk\*\* is done\.$/,
    /^walk: 🌱 .*walk.* works here/,
    /^walk: line 1\n/,
    /^walk: line (?!1\n)(?![\s\S]*line 500)/,
    /^walk: line (?!1\n)[\s\S]*line 500$/,
    /^walk: ✅ “walk” is done and has left this thread/,
    /^line 1\n[\s\S]*✅ walk/,
    /^line (?!1\n)(?![\s\S]*line 500)/,
    /^line (?!1\n)[\s\S]*line 500$/,
    /^heard: good morning/,
  ],
  end: { runs: { complete: 2 }, timers: ["archive"], bindings: 0, archived: 0 },
};
