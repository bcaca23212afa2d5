import type { StoreReads } from "../../store.ts";

/** Where a model run takes its decisions from: a whole number from 0 up to, but not, `limit`. */
export type RandomSource = (limit: number) => number;

/** Decisions from a list, and 0 when it is used up: a property test shrinks the list. */
export function createListedRandom(numbers: readonly number[]): RandomSource {
  const source = numbers.values();
  return (limit) => (source.next().value ?? 0) % limit;
}

/** The same decisions for the same seed (mulberry32). */
export function createSeededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** One of the list, which must not be empty. */
export function pick<T>(random: RandomSource, choices: readonly T[]): T {
  const [first] = choices;
  if (first === undefined) throw new RangeError("Picking one of a list: the list is empty.");
  return choices[random(choices.length)] ?? first;
}

/** True `percent` times of a hundred; false when the decisions are used up. */
export function chance(random: RandomSource, percent: number): boolean {
  return random(100) >= 100 - percent;
}

/** A question that can be put to a store. */
export type ModelRead = (read: StoreReads) => Promise<unknown>;
