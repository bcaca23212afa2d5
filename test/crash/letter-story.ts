/** Agents that write to one another: each message is there once, and so is what it brings about. */
import { openThreadPlace } from "./thread-place.ts";
import { openWebPlace } from "./tree-place.ts";
import type { TreeStory } from "./tree-world.ts";

const MAIN = "agent:main:webchat:dm:ada";

/** A sub-agent writes to who has asked for it, and is written to when it is done, which is a run of its own. */
export const LETTERS: TreeStory = {
  openPlace: openWebPlace,
  agent: "tree",
  async play(world) {
    const letter = { sessionKey: MAIN, message: "letter from below", timeoutSeconds: 0 };
    await world.says(`spawn ${JSON.stringify({ label: "scout", task: `write ${JSON.stringify(letter)}` })}`);
    await world.hears(/^told: scout done wrote: sent/);
    await world.says(`write ${JSON.stringify({ label: "scout", message: "letter from above" })}`);
    await world.hears(/^told: scout done heard: letter from above/);
    await world.says("letters?");
  },
  hears: [
    /^begun: scout accepted/,
    /^told: scout done wrote: sent/,
    /^wrote: replied heard: letter from above/,
    /^told: scout done heard: letter from above/,
    /^letters so far: 1/,
  ],
  end: { runs: { complete: 2 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
};

/** A sub-agent with a thread is written to by who has asked for it: a turn of its own, told to nobody else. */
export const POST: TreeStory = {
  openPlace: () => openThreadPlace(["✅ census open"]),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --thread --label census count the trees");
    await world.hears(/^✅ .*census.* done in/);
    await world.says(`write ${JSON.stringify({ label: "census", message: "letter from above" })}`);
    await world.hears(/^wrote: replied heard: letter from above/);
    await world.says("letters?", "census");
    await world.hears(/^census: letters so far: 1/);
    await world.says("/unfocus", "census");
  },
  hears: [
    /^🌱 .*census.* is at work/,
    /^census: heard: count the trees/,
    /^✅ .*census.* done in .*heard: count the trees/s,
    /^wrote: replied heard: letter from above/,
    /^census: letters so far: 1/,
    /^census: This thread is free again/,
  ],
  end: { runs: { complete: 1 }, timers: [], bindings: 0, archived: 0 },
};
