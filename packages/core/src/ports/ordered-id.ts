import { randomBytes } from "node:crypto";

const TIME_DIGITS = 9;
const COUNT_DIGITS = 4;
const COUNTS = 36 ** COUNT_DIGITS;
const RANDOM_BYTES = 5;

/**
 * Makes ids that are unique for ever and grow with time, so that a store appends to its indexes instead of writing all
 * over them: milliseconds, a count, and a random tail of this maker's own. `a-z0-9`, 21 characters.
 */
export function createIdMaker(now: () => number): () => string {
  const tail = parseInt(randomBytes(RANDOM_BYTES).toString("hex"), 16).toString(36).padStart(8, "0");
  let lastMs = 0;
  let count = 0;
  return () => {
    const ms = now();
    // A clock that stands still or is set back goes on counting in the latest millisecond it has shown.
    if (ms > lastMs) {
      lastMs = ms;
      count = 0;
    } else count += 1;
    if (count === COUNTS) {
      lastMs += 1;
      count = 0;
    }
    return `${lastMs.toString(36).padStart(TIME_DIGITS, "0")}${count.toString(36).padStart(COUNT_DIGITS, "0")}${tail}`;
  };
}
