/** Deaths while sub-agents are spawned, work, end and are told of. */
import { COPIED_RESULTS, REFUSED_RESULTS, RESULTS, SILENCE, SINGLE_RESULTS } from "./anchor-story.ts";
import { DISCORD } from "./discord-story.ts";
import type { KillPlan } from "./kill-plan.ts";
import { LETTERS, POST } from "./letter-story.ts";
import { MOVED_RESULTS, PARTED_RESULTS } from "./move-story.ts";
import { CLEARED, FELLED, HUSHED, RESET_BY_API } from "./operator-story.ts";
import { PRESSED_KILL, PRESSED_RETRY, PRESSED_STOP } from "./press-story.ts";
import { INTERRUPTS, QUESTIONS, STEERS, WEB_QUESTIONS, WITHDRAWN } from "./question-story.ts";
import { openTelegramPlace } from "./telegram-place.ts";
import { EXPIRY, THREADS } from "./thread-story.ts";
import { CHAINS, POSTED_TOPICS, PRIVATE_TOPICS, TOPICS } from "./topic-story.ts";
import { openWebPlace, type TreeCall, type TreeDoor } from "./tree-place.ts";
import { type TreeStory, TreeWorld } from "./tree-world.ts";

/** Discord knows a key for a few minutes. */
const LATE_MS = 15 * 60_000;

/** A person spawns one sub-agent, and the agent three, whose shares it joins. */
const BRANCH: Omit<TreeStory, "openPlace"> = {
  agent: "demo",
  async play(world) {
    await world.says("/spawn --label sum calc 2+3");
    await world.says("count words in docs");
  },
  hears: [/✅ .*sum.* done in .*2\+3 = 5/s, /I split docs\/ over three sub-agents/, /docs\/ has 6 words in 3 files/],
  end: { runs: { complete: 4 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
};

const FILES: readonly object[] = [{ name: "list.md", content: "oak, elm" }];

/** An agent gives files to one that is put away at once, and lets one run out of time. */
const LIVES: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  async play(world) {
    const quiet = {
      label: "quiet",
      task: "read",
      attachments: FILES,
      cleanup: "delete",
      expectsCompletionMessage: false,
    };
    await world.says(`spawn ${JSON.stringify(quiet)}`);
    await world.hears(/begun: quiet/);
    await world.says(`spawn ${JSON.stringify({ label: "slow", task: "hang", runTimeoutSeconds: 1 })}`);
  },
  hears: [/^begun: quiet accepted/, /^begun: slow accepted/, /^told: slow timeout/],
  end: { runs: { complete: 1, timeout: 1 }, timers: ["announce", "archive"], bindings: 0, archived: 1 },
};

/** An agent is late with what a sub-agent has finished: the host tells, and the agent does, too. */
const LATE: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  rules: { subagents: { announceTimeoutMs: 1_000 } },
  play: (world) => world.says(`dream ${JSON.stringify({ label: "early", task: "rise", attachments: FILES })}`),
  hears: [/^begun: early accepted/, /^told: early done heard: rise with list.md=oak, elm/],
  // After a death its answer may be there in time.
  mayHear: [/^✅ .*early.* done in .*oak, elm/s],
  end: { runs: { complete: 1 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
};

/** A person stops one sub-agent, and gives another one more to do. */
const ORDERS: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --label hold hang");
    await world.hears(/🌱 .*hold.* is at work/);
    await world.says("/kill hold");
    await world.says("/spawn --label scout look");
    await world.hears(/✅ .*scout.*heard: look\s*$/s);
    await world.says("/subagents send scout look again");
  },
  hears: [
    /^⏹ hold was stopped\.$/,
    /^Stopped .*hold/,
    /^✅ .*scout.*heard: look\s*$/s,
    /^Sent to .*scout.* Its answer comes here/,
    /^✅ .*scout.*heard: look again\s*$/s,
  ],
  end: { runs: { complete: 2, killed: 1 }, timers: ["archive"], bindings: 0, archived: 0 },
};

/** A sub-agent waits for one of its own. */
const NEST: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "demo",
  play: (world) => world.says("nest 2"),
  hears: [/^I started a nest of sub-agents, 2 deep/, /^The nest says: level 1 of 2: level 2 of 2: I am the innermost/],
  end: { runs: { complete: 2 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
};

/** A person begins a new conversation while a sub-agent works for the old one. */
const RESET: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --label hold hang");
    await world.hears(/🌱 .*hold.* is at work/);
    await world.says("/new and now?");
  },
  hears: [/^⏹ hold was stopped\.$/, /^A new conversation begins.* 1 sub-agent was stopped/s, /^heard: and now\?/],
  end: { runs: { "session-reset": 1 }, timers: ["archive"], bindings: 0, archived: 0 },
};

/** A turn that dies over its spawn each time is given up; of the spawn nothing is left. */
const GIVEN_UP: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  play: (world) => world.says(`spawn ${JSON.stringify({ label: "lost", task: "read", attachments: FILES })}`),
  hears: [/^⚠ Your message .* was set aside/],
  end: { runs: {}, timers: [], bindings: 0, archived: 0 },
};

/** A sub-agent that dies each time is given up, and its end is told as any other. */
const DOOMED: TreeStory = {
  openPlace: openWebPlace,
  agent: "tree",
  play: (world) => world.says("/spawn --label doomed read"),
  hears: [/^🌱 .*doomed.* is at work/, /^❌ .*doomed.* failed after/],
  end: { runs: { error: 1 }, timers: ["archive"], bindings: 0, archived: 0 },
};

export type TreeStoryName =
  | "reset"
  | "reset by API"
  | "given up"
  | "doomed"
  | "nest"
  | "letters"
  | "post"
  | "cleared"
  | "felled"
  | "hushed"
  | "orders"
  | "telegram"
  | "webchat"
  | "threads"
  | "discord"
  | "topics"
  | "private topics"
  | "posted topics"
  | "chains"
  | "expiry"
  | "lives"
  | "web lives"
  | "late"
  | "results"
  | "copied results"
  | "refused results"
  | "single results"
  | "silence"
  | "questions"
  | "withdrawn"
  | "web questions"
  | "steers"
  | "interrupts"
  | "moved results"
  | "parted results"
  | "pressed kill"
  | "pressed retry"
  | "pressed stop";

export const TREE_STORIES: Readonly<Record<TreeStoryName, TreeStory>> = {
  telegram: { ...BRANCH, openPlace: () => openTelegramPlace() },
  webchat: { ...BRANCH, openPlace: openWebPlace, hears: [/🌱 .*sum.* is at work/, ...BRANCH.hears] },
  threads: THREADS,
  discord: DISCORD,
  topics: TOPICS,
  "private topics": PRIVATE_TOPICS,
  "posted topics": POSTED_TOPICS,
  chains: CHAINS,
  expiry: EXPIRY,
  lives: LIVES,
  "web lives": { ...LIVES, openPlace: openWebPlace },
  late: LATE,
  results: RESULTS,
  "copied results": COPIED_RESULTS,
  "refused results": REFUSED_RESULTS,
  "single results": SINGLE_RESULTS,
  silence: SILENCE,
  questions: QUESTIONS,
  withdrawn: WITHDRAWN,
  "web questions": WEB_QUESTIONS,
  steers: STEERS,
  interrupts: INTERRUPTS,
  "moved results": MOVED_RESULTS,
  "parted results": PARTED_RESULTS,
  "pressed kill": PRESSED_KILL,
  "pressed retry": PRESSED_RETRY,
  "pressed stop": PRESSED_STOP,
  orders: ORDERS,
  nest: NEST,
  reset: RESET,
  "reset by API": RESET_BY_API,
  letters: LETTERS,
  post: POST,
  cleared: CLEARED,
  felled: FELLED,
  hushed: HUSHED,
  "given up": GIVEN_UP,
  doomed: DOOMED,
};

/** Deaths at points that the story surely passes, each in a process of its own. */
export async function tellSureTreeDeaths(story: TreeStory, plans: readonly KillPlan[]): Promise<void> {
  await inWorld(story, async (world) => {
    for (const plan of plans) await world.dies(plan);
    await world.checkComplete();
  });
}

/** A death, and a long time until the next start: what the platform remembers for a while it has forgotten by then. */
export async function tellLateStart(story: TreeStory, plan: KillPlan): Promise<void> {
  await inWorld(story, async (world) => {
    await world.dies(plan);
    await world.timePasses(LATE_MS);
    await world.checkComplete();
  });
}

/** A death while the platform has taken a call and not answered yet. */
export async function tellTreeDeathAtDoor(story: TreeStory, call: TreeCall, door?: TreeDoor): Promise<void> {
  await inWorld(story, async (world) => {
    await world.diesAtDoor(call, door);
    await world.checkComplete();
  });
}

/** Deaths where the processes happen to pass their points. */
export async function tellTreeDeaths(story: TreeStory, plans: readonly KillPlan[]): Promise<void> {
  await inWorld(story, async (world) => {
    for (const plan of plans) await world.diesOrRests(plan);
    await world.checkComplete();
  });
}

async function inWorld(story: TreeStory, tell: (world: TreeWorld) => Promise<void>): Promise<void> {
  const world = await TreeWorld.open(story);
  try {
    await tell(world);
  } finally {
    await world.close();
  }
}
