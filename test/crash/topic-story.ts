import { buildPostedAccount } from "./posted-updates.ts";
import { openChainPlace, openForumPlace, openPrivateTopicPlace } from "./topic-place.ts";
import type { TreeStory } from "./tree-world.ts";

const SPAWNS: Omit<TreeStory, "openPlace" | "hears"> = {
  agent: "tree",
  async play(world) {
    await world.says("/spawn --thread --label census count the trees");
    await world.hears(/^(census: )?heard: count the trees/);
    await world.says("and the birds", "census");
    await world.hears(/^(census: )?heard: and the birds/);
    await world.says("/unfocus", "census");
    await world.hears(/^(census: )?This thread is free again/);
    await world.says("/spawn --thread --mode run --label walk walk about");
  },
  end: { runs: { complete: 2 }, timers: ["archive"], bindings: 0, archived: 0 },
};

const IN_TOPICS: Omit<TreeStory, "openPlace"> = {
  ...SPAWNS,
  hears: [
    /^census: 🌱 “census” works here/,
    /^census: heard: count the trees/,
    /^✅ census · done in .*heard: count the trees/s,
    /^census: heard: and the birds/,
    /^census: This thread is free again/,
    /^walk: 🌱 “walk” works here/,
    /^walk: heard: walk about/,
    /^walk: ✅ “walk” is done and has left this thread/,
    /^✅ walk · done in .*heard: walk about/s,
  ],
};

/** In a forum a person spawns one with a topic that stays, talks in it and frees it, and one whose topic closes behind it. */
export const TOPICS: TreeStory = {
  ...IN_TOPICS,
  openPlace: () => openForumPlace(["✅ census open", "✅ walk closed"]),
};

/** The same where Telegram posts. */
export const POSTED_TOPICS: TreeStory = {
  ...IN_TOPICS,
  openPlace: async () => openForumPlace(["✅ census open", "✅ walk closed"], await buildPostedAccount()),
};

/** The same in a private chat with topics, which are never closed. */
export const PRIVATE_TOPICS: TreeStory = {
  ...IN_TOPICS,
  openPlace: () => openPrivateTopicPlace(["✅ census open", "✅ walk open"]),
};

/** The same in a private chat without topics: in replies to a message of the sub-agent's own. */
export const CHAINS: TreeStory = {
  ...SPAWNS,
  openPlace: openChainPlace,
  hears: [
    /^(🌱 “census” works here|✅ census\nReply)/,
    /^heard: count the trees/,
    /^✅ census · done in .*heard: count the trees/s,
    /^heard: and the birds/,
    /^This thread is free again/,
    /^(🌱 “walk” works here|✅ walk$)/,
    /^heard: walk about/,
    /^✅ “walk” is done and has left this thread/,
    /^✅ walk · done in .*heard: walk about/s,
  ],
};
