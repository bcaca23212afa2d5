/** Deaths while an answer grows in a message on Telegram, which has no drafts there. */
import assert from "node:assert/strict";
import { EVERY_EDIT_REFUSED } from "../stage/refused-edit.ts";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";
import { inPostedWorld } from "./webhook-story.ts";

const PATIENCE_MS = 60_000;
/** Whole: one message cannot stand there twice, so no mark stands before it. */
const ANSWER = /^a tree that grows\s+until it is told$/;
/** In the whole answer only: how many edits show its beginning is a matter of time. */
const WHOLE = "until it is told";
/** A message that has no words yet, which was begun by a call whose answer nobody heard. */
const WORDLESS = "▍";
const AGENTS = { agents: { main: { runtime: "tree", default: true } } };

/** In what the answer grows, and how the question comes. */
export interface GrowthWay {
  readonly growingAnswers: "edits" | "auto";
  readonly by: "polling" | "webhook";
  /** Telegram refuses every edit, so the answer is a new message. */
  readonly refusesEdits?: boolean;
}

const POLLED_EDITS: GrowthWay = { growingAnswers: "edits", by: "polling" };
export const REFUSED_EDITS: GrowthWay = { ...POLLED_EDITS, refusesEdits: true };

/** A call that stands at Telegram's door while the process dies. */
export interface GrowthPoint {
  readonly name: string;
  readonly method: "sendMessage" | "editMessageText";
  readonly at: "request" | "answer";
  /** What the call says; absent: the first call is meant. */
  readonly text?: string;
  /** What becomes of the call after the death. */
  readonly end: "cut" | "release";
  /** Whether Telegram has a message then that nobody can know of. */
  readonly leavesWordless?: true;
}

export const GROWTH_POINTS: readonly GrowthPoint[] = [
  { name: "the message is written down and not sent", method: "sendMessage", at: "request", end: "cut" },
  {
    name: "the message is taken after the death",
    method: "sendMessage",
    at: "request",
    end: "release",
    leavesWordless: true,
  },
  {
    name: "the message is taken and its answer never read",
    method: "sendMessage",
    at: "answer",
    end: "cut",
    leavesWordless: true,
  },
  { name: "its first words are not taken", method: "editMessageText", at: "request", end: "cut" },
  { name: "its first words are taken, unheard", method: "editMessageText", at: "answer", end: "cut" },
  { name: "the delivery is not taken", method: "editMessageText", at: "request", text: WHOLE, end: "cut" },
  {
    name: "the delivery is taken after the death",
    method: "editMessageText",
    at: "request",
    text: WHOLE,
    end: "release",
  },
  { name: "the delivery is taken, unheard", method: "editMessageText", at: "answer", text: WHOLE, end: "cut" },
];

/** Points of the process on the way of such an answer. */
export const GROWTH_KILLS: readonly KillPlan[] = [
  { point: "T3.before", hit: 1 },
  { point: "T3.after", hit: 1 },
  { point: "T6.before", hit: 1 },
  { point: "T6.after", hit: 1 },
];

export async function tellGrowthAtTheDoor({ method, at, text, end, ...point }: GrowthPoint): Promise<void> {
  await inWorld(point.leavesWordless === true, async (world) => {
    const gate = await world.telegram.faults.hold({ method, at, times: 1, ...(text === undefined ? {} : { text }) });
    const gateway = await world.start();
    await gate.reached(1, PATIENCE_MS);
    gateway.signal("SIGKILL");
    await gateway.died(point.name);
    if (end === "cut") await gate.cut();
    else await gate.release();
  });
}

export async function tellGrowthKill(plan: KillPlan, way?: GrowthWay): Promise<void> {
  const die = async (world: CrashWorld) => {
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
  };
  await inWorld(false, die, way);
}

/** A death over an answer to a question that Telegram has posted. */
export interface PostedGrowth extends GrowthWay {
  readonly plan: KillPlan;
}

/** Answers to what Telegram has posted, in messages and in drafts, each cut off where it is surely passed. */
export const POSTED_GROWTHS: readonly PostedGrowth[] = (["edits", "auto"] as const).flatMap((growingAnswers) =>
  [{ point: "T0.before", hit: 1 }, { point: "T0.after", hit: 1 }, ...GROWTH_KILLS].map((plan) => {
    return { growingAnswers, by: "webhook", plan } as const;
  }),
);

export function namePostedGrowth({ growingAnswers, plan: { point, hit } }: PostedGrowth): string {
  return `posted, growing by ${growingAnswers === "auto" ? "drafts" : "edits"}: ${point} (${hit})`;
}

/** Ada asks, a process dies over the answer, and the next one gives it: it stands there once, and nothing else of it. */
async function inWorld(
  leavesWordless: boolean,
  die: (world: CrashWorld) => Promise<void>,
  { growingAnswers, by, refusesEdits = false }: GrowthWay = POLLED_EDITS,
): Promise<void> {
  const account = { growingAnswers };
  // A draft, or a message that takes no edit, becomes no answer: one that may have come is sent again, and says so.
  const mayRepeat = growingAnswers === "auto" || refusesEdits;
  const tell = async (world: CrashWorld) => {
    if (refusesEdits) await world.telegram.faults.add(EVERY_EDIT_REFUSED);
    await tellGrowth(world, leavesWordless, mayRepeat, die);
  };
  if (by === "webhook") return inPostedWorld(AGENTS, account, tell);
  const world = await CrashWorld.open([], { ...AGENTS, channels: { telegram: { accounts: { default: account } } } });
  try {
    await tell(world);
  } finally {
    await world.close();
  }
}

async function tellGrowth(
  world: CrashWorld,
  leavesWordless: boolean,
  mayRepeat: boolean,
  die: (world: CrashWorld) => Promise<void>,
): Promise<void> {
  await world.telegram.sayAll([{ user: world.ada, text: "grow" }]);
  await die(world);
  await world.start();
  await world.ada.hears(({ text }) => ANSWER.test(unmark(text)), { timeoutMs: PATIENCE_MS });
  await world.rests();
  const messages = (await world.ada.messages()).map(({ text }) => text);
  const answers = messages.filter((text) => ANSWER.test(mayRepeat ? unmark(text) : text));
  const others = messages.filter((text) => !answers.includes(text));
  const unmarked = answers.filter((text) => text === unmark(text)).length;
  const told = `${messages.join("\n")}\n${world.log}`;
  assert.ok(unmarked <= 1 && answers.length >= 1, `the answer stands there ${answers.length} times\n${told}`);
  assert.deepEqual(others, leavesWordless ? [WORDLESS] : [], `something else stands there\n${told}`);
  await world.stop();
}

function unmark(text: string): string {
  return text.replace(/^\(may be repeated\)\n/, "");
}
