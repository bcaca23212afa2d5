/** Deaths while an agent asks a person for a permission, and while the answer is on its way. */
import { ANCHOR_TRACES, openTelegramPlace } from "./telegram-place.ts";
import { openWebPlace } from "./tree-place.ts";
import type { TreeStory } from "./tree-world.ts";

const ASKED = /^May I dig\?/;

/** A person is asked twice: for the agent's own turn, and for a sub-agent of theirs. */
const ASKING: Omit<TreeStory, "openPlace" | "hears"> = {
  agent: "tree",
  async play(world) {
    await world.says("ask dig");
    await world.hears(ASKED);
    await world.says("/answer allow");
    await world.hears(/^chosen: allow\s*$/);
    await world.says(`spawn ${JSON.stringify({ label: "digger", task: "ask delve" })}`);
    await world.hears(/^May I delve\?/);
    await world.says("/answer deny");
  },
  end: { runs: { complete: 1 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
};

const ANSWERS: readonly RegExp[] = [
  /^Allow\.$/,
  /^chosen: allow\s*$/,
  /^begun: digger accepted/,
  /^Deny\.$/,
  /^told: digger done chosen: deny\s*$/,
];

/** Where the message says afterwards what was answered. */
export const QUESTIONS: TreeStory = {
  ...ASKING,
  async openPlace() {
    const place = await openTelegramPlace();
    // A second one that is sent after a death has working buttons as well; one of them is never changed.
    const leftover = new RegExp(
      `${ANCHOR_TRACES.leftover.source}|^May I (dig|delve)\\?[\\s\\S]*then it counts as Deny\\.$`,
    );
    return { ...place, traces: { ...ANCHOR_TRACES, leftover } };
  },
  hears: [/^May I dig\?\n\nAllow \(Ada\)$/, /^May I delve\?\n\nDeny \(Ada\)$/, ...ANSWERS],
};

/** The turn that asks is stopped: its question is withdrawn, over every death, and who answers all the same is told so. */
export const WITHDRAWN: TreeStory = {
  async openPlace() {
    const place = await openTelegramPlace();
    const leftover = new RegExp(`${ANCHOR_TRACES.leftover.source}|^May I dig\\?[\\s\\S]*then it counts as Deny\\.$`);
    return { ...place, traces: { ...ANCHOR_TRACES, leftover } };
  },
  agent: "tree",
  async play(world) {
    await world.says("ask dig");
    await world.hears(ASKED);
    await world.says("/stop");
    await world.hears(/Not asked any more/);
    await world.says("/answer allow");
  },
  hears: [
    /^May I dig\?\n\nNot asked any more: the agent's turn has ended\.$/,
    /^Stopped/,
    /^Nothing is asked here just now\.$/,
  ],
  end: { runs: {}, timers: [], bindings: 0, archived: 0 },
};

/** What a person says while the agent works is heard by the turn that runs, and by none beside it. */
export const STEERS: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  async play(world) {
    await world.says("listen");
    await world.finds("the turn", async (read) => ((await read.counts()).activeLanes > 0 ? true : undefined));
    await world.says("look up");
  },
  hears: [/^heard meanwhile: look up$/],
  end: { runs: {}, timers: [], bindings: 0, archived: 0 },
};

/** A newer message stops the turn that runs; the one behind it knows what that had done. */
export const INTERRUPTS: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  async play(world) {
    await world.says("/queue interrupt");
    await world.hears(/Mode: `?interrupt/);
    await world.says("ponder");
    await world.finds("the turn", async (read) => ((await read.counts()).activeLanes > 0 ? true : undefined));
    await world.says("recall");
  },
  hears: [/^Set for this conversation\. Mode: `?interrupt/, /^recalled: ponder, a thought without an end$/],
  end: { runs: {}, timers: [], bindings: 0, archived: 0 },
};

export const WEB_QUESTIONS: TreeStory = {
  ...ASKING,
  openPlace: openWebPlace,
  hears: [/^May I dig\?.*then it counts as Deny\.$/s, /^May I delve\?.*then it counts as Deny\.$/s, ...ANSWERS],
};
