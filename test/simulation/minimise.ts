import { runSeed, type SeedOptions } from "./run-seed.ts";

/** Runs at most; a world of sixty events needs about a hundred. */
const MOST_RUNS = 400;

/**
 * The events that a break needs, by their places in the plan: halves, quarters and so on are left out as long as the
 * same invariant still breaks. What remains cannot lose any one of them.
 */
export async function minimise(options: SeedOptions, invariant: string): Promise<ReadonlySet<number>> {
  let kept: readonly number[] = Array.from({ length: options.events }, (_, place) => place);
  let runs = 0;
  const breaks = async (places: readonly number[]) => {
    runs += 1;
    const { broken } = await runSeed({ ...options, isTraced: false, kept: new Set(places) });
    return broken?.invariant === invariant;
  };
  for (let size = Math.ceil(kept.length / 2); size >= 1 && runs < MOST_RUNS; ) {
    const before = kept.length;
    for (let start = 0; start < kept.length && runs < MOST_RUNS; ) {
      const rest = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (await breaks(rest)) kept = rest;
      else start += size;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (kept.length === before) break;
  }
  return new Set(kept);
}
