import { createSeededRandom } from "./crash-point.ts";

/** Changed now and then, so that what `pnpm test` leaves to `pnpm crash` is not always the same. */
const SEED = 6;

/** So many of the list, or all, drawn by a seed, in the order of the list. What is left out is told by `pnpm crash`. */
export function drawSample<T>(list: readonly T[], count: number): readonly T[] {
  const random = createSeededRandom(SEED);
  const drawn = list.map((_, index) => ({ index, weight: random() })).toSorted((a, b) => a.weight - b.weight);
  const chosen = new Set(drawn.slice(0, count).map(({ index }) => index));
  return list.filter((_, index) => chosen.has(index));
}
