import { createSeededRandom } from "./crash-point.ts";

/** Change it from time to time, so that `pnpm test:long` does not always leave out the same stories. */
const SEED = 6;

/** So many of the list, or all, drawn by a seed, in the order of the list. What is left out is told by `pnpm crash`. */
export function drawSample<T>(list: readonly T[], count: number): readonly T[] {
  return thinOut(list, [{ nameOf: () => "", atLeast: count }]);
}

/**
 * As few of the list as have so many of each kind, drawn by a seed, in the order of the list. What is left out is told by
 * `pnpm crash`.
 */
export function thinOut<T>(
  list: readonly T[],
  kinds: readonly { readonly nameOf: (one: T) => string; readonly atLeast: number }[],
): readonly T[] {
  const counts = kinds.map(() => new Map<string, number>());
  const random = createSeededRandom(SEED);
  const drawn = list.map((one, index) => ({ one, index, weight: random() })).toSorted((a, b) => a.weight - b.weight);
  const kept = new Set<number>();
  for (const { one, index } of drawn) {
    const isShort = kinds.some(({ nameOf, atLeast }, at) => (counts[at]?.get(nameOf(one)) ?? 0) < atLeast);
    if (!isShort) continue;
    kept.add(index);
    for (const [at, { nameOf }] of kinds.entries()) {
      const name = nameOf(one);
      counts[at]?.set(name, (counts[at].get(name) ?? 0) + 1);
    }
  }
  return list.filter((_, index) => kept.has(index));
}
