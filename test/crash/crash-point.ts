import type { KillPlan } from "./kill-plan.ts";

/**
 * Every durable point of the way from a message to its answer, in the order it is passed. The hit is one that this
 * conversation reaches; a point that is never passed fails the test.
 */
export const KILL_POINTS: readonly KillPlan[] = [
  { point: "store.migration.before", hit: 1 },
  { point: "store.migration.after", hit: 1 },
  { point: "store.migration.before", hit: 4 },
  { point: "store.migration.after", hit: 4 },
  { point: "store.generation.before", hit: 1 },
  { point: "store.generation.after", hit: 1 },
  { point: "store.id_file.before", hit: 1 },
  { point: "store.id_file.after", hit: 1 },
  // When no step was committed for a second.
  { point: "store.generation.before", hit: 2 },
  { point: "store.generation.after", hit: 2 },
  { point: "store.id_file.before", hit: 2 },
  { point: "store.id_file.after", hit: 2 },
  // The first backup, right after the start's check.
  { point: "store.backup.before", hit: 1 },
  { point: "store.backup.after", hit: 1 },
  { point: "inbound.parsed", hit: 1 },
  { point: "T0.before", hit: 1 },
  { point: "store.commit.before", hit: 3 },
  { point: "store.commit.after", hit: 3 },
  { point: "T0.after", hit: 1 },
  { point: "T2.before", hit: 1 },
  { point: "T2.after", hit: 1 },
  { point: "T2b.before", hit: 1 },
  { point: "T2b.after", hit: 1 },
  { point: "T2b.before", hit: 3 },
  { point: "T2b.after", hit: 3 },
  { point: "command.before", hit: 1 },
  { point: "command.after", hit: 1 },
  { point: "command.before", hit: 2 },
  { point: "command.after", hit: 2 },
  { point: "T3.before", hit: 1 },
  { point: "T3.after", hit: 1 },
  { point: "T3.before", hit: 2 },
  { point: "T3.after", hit: 2 },
  { point: "T6.before", hit: 1 },
  { point: "T6.after", hit: 1 },
  { point: "T6.before", hit: 3 },
  { point: "T6.after", hit: 3 },
  { point: "jsonl.append.q1", hit: 1 },
  { point: "jsonl.append.q2", hit: 1 },
  { point: "jsonl.append.q3", hit: 1 },
  { point: "jsonl.append.q4", hit: 1 },
  { point: "jsonl.append.q2", hit: 4 },
  { point: "sessions_json.rename.before", hit: 1 },
  { point: "sessions_json.rename.after", hit: 1 },
];

/** Points on the way of an answer that finds its chat busy. */
export const BUSY_CHAT_POINTS: readonly KillPlan[] = [
  { point: "T5.before", hit: 1 },
  { point: "T5.after", hit: 1 },
];

/** Points that are passed when the gateway stops in order. */
export const STOP_POINTS: readonly KillPlan[] = [
  { point: "shutdown", hit: 1 },
  { point: "store.close.before", hit: 1 },
  { point: "store.close.after", hit: 1 },
];

/** Where a thread of the store dies alone, and what the log says of it. */
export const THREAD_POINTS: readonly { readonly plan: KillPlan; readonly line: RegExp }[] = [
  ...[2, 3, 5, 8].flatMap((hit) =>
    ["store.commit.before", "store.commit.after"].map((point) => ({
      plan: { point, hit },
      line: /the store's worker died; it is started again/,
    })),
  ),
  ...["jsonl.append.q2", "sessions_json.rename.before"].map((point) => ({
    plan: { point, hit: 1 },
    line: /the readable layout's worker died; it is started again/,
  })),
];

/** Pages that the database may still grow before the disk is full: each fills up at another step of the story. */
export const FULL_AFTER_PAGES: readonly number[] = [0, 4, 8, 11, 14];

/** A call that stands at the platform's door while the process dies. */
export interface WirePoint {
  readonly name: string;
  readonly method: "getUpdates" | "sendMessage";
  /** Before its effect, or between effect and answer. */
  readonly at: "request" | "answer";
  /** Calls of the method that pass before. */
  readonly skip: number;
  /** What becomes of the call after the death. */
  readonly end: "cut" | "release";
}

/** Points outside the process: what the platform was told, and what it answered. */
export const WIRE_POINTS: readonly WirePoint[] = [
  { name: "the platform's acknowledgement is not sent", method: "getUpdates", at: "request", skip: 1, end: "cut" },
  {
    name: "the platform's acknowledgement is taken after the death",
    method: "getUpdates",
    at: "request",
    skip: 1,
    end: "release",
  },
  { name: "a request is written and never taken", method: "sendMessage", at: "request", skip: 0, end: "cut" },
  {
    name: "a request is written and taken after the death",
    method: "sendMessage",
    at: "request",
    skip: 0,
    end: "release",
  },
  { name: "a message is taken and its answer never read", method: "sendMessage", at: "answer", skip: 0, end: "cut" },
  {
    name: "a later message is taken and its answer never read",
    method: "sendMessage",
    at: "answer",
    skip: 2,
    end: "cut",
  },
];

/** A small generator of numbers, the same for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Two deaths of one story, drawn by the seed. */
export function drawPair(seed: number): readonly [KillPlan, KillPlan] {
  const random = createSeededRandom(seed);
  const draw = () => {
    const points = [...KILL_POINTS, ...BUSY_CHAT_POINTS];
    const { point } = points[Math.floor(random() * points.length)] ?? { point: "T3.before" };
    return { point, hit: 1 + Math.floor(random() * 3) };
  };
  return [draw(), draw()];
}
