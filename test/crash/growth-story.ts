/** Deaths while an answer grows in a message on Telegram, which has no drafts there. */
import assert from "node:assert/strict";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";

const PATIENCE_MS = 20_000;
/** Whole: one message cannot stand there twice, so no mark stands before it. */
const ANSWER = /^a tree that grows\s+until it is told$/;
/** A message that has no words yet, which was begun by a call whose answer nobody heard. */
const WORDLESS = "▍";
const CONFIG = {
  agents: { main: { runtime: "tree", default: true } },
  channels: { telegram: { accounts: { default: { growingAnswers: "edits" } } } },
};

/** A call that stands at Telegram's door while the process dies. */
export interface GrowthPoint {
  readonly name: string;
  readonly method: "sendMessage" | "editMessageText";
  readonly at: "request" | "answer";
  /** Calls of the method that pass before. */
  readonly skip: number;
  /** What becomes of the call after the death. */
  readonly end: "cut" | "release";
  /** Whether Telegram has a message then that nobody can know of. */
  readonly leavesWordless?: true;
}

export const GROWTH_POINTS: readonly GrowthPoint[] = [
  { name: "the message is written down and not sent", method: "sendMessage", at: "request", skip: 0, end: "cut" },
  {
    name: "the message is taken after the death",
    method: "sendMessage",
    at: "request",
    skip: 0,
    end: "release",
    leavesWordless: true,
  },
  {
    name: "the message is taken and its answer never read",
    method: "sendMessage",
    at: "answer",
    skip: 0,
    end: "cut",
    leavesWordless: true,
  },
  { name: "its first words are not taken", method: "editMessageText", at: "request", skip: 0, end: "cut" },
  { name: "its first words are taken, unheard", method: "editMessageText", at: "answer", skip: 0, end: "cut" },
  { name: "the delivery is not taken", method: "editMessageText", at: "request", skip: 1, end: "cut" },
  { name: "the delivery is taken after the death", method: "editMessageText", at: "request", skip: 1, end: "release" },
  { name: "the delivery is taken, unheard", method: "editMessageText", at: "answer", skip: 1, end: "cut" },
];

/** Points of the process on the way of such an answer. */
export const GROWTH_KILLS: readonly KillPlan[] = [
  { point: "T3.before", hit: 1 },
  { point: "T3.after", hit: 1 },
  { point: "T6.before", hit: 1 },
  { point: "T6.after", hit: 1 },
];

export async function tellGrowthAtTheDoor({ method, at, skip, end, ...point }: GrowthPoint): Promise<void> {
  await inWorld(point.leavesWordless === true, async (world) => {
    const gate = await world.telegram.faults.hold({ method, at, skip, times: 1 });
    const gateway = await world.start();
    await gate.reached(1, PATIENCE_MS);
    gateway.signal("SIGKILL");
    await gateway.died(point.name);
    if (end === "cut") await gate.cut();
    else await gate.release();
  });
}

export async function tellGrowthKill(plan: KillPlan): Promise<void> {
  await inWorld(false, async (world) => {
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
  });
}

/** Ada asks, a process dies over the answer, and the next one gives it: it stands there once, and nothing else of it. */
async function inWorld(leavesWordless: boolean, die: (world: CrashWorld) => Promise<void>): Promise<void> {
  const world = await CrashWorld.open([], CONFIG);
  try {
    await world.telegram.sayAll([{ user: world.ada, text: "grow" }]);
    await die(world);
    await world.start();
    await world.ada.hears(({ text }) => ANSWER.test(text), { timeoutMs: PATIENCE_MS });
    await world.rests();
    const messages = (await world.ada.messages()).map(({ text }) => text);
    const answers = messages.filter((text) => ANSWER.test(text));
    const others = messages.filter((text) => !ANSWER.test(text));
    const told = `${messages.join("\n")}\n${world.log}`;
    assert.equal(answers.length, 1, `the answer stands there ${answers.length} times\n${told}`);
    assert.deepEqual(others, leavesWordless ? [WORDLESS] : [], `something else stands there\n${told}`);
    await world.stop();
  } finally {
    await world.close();
  }
}
