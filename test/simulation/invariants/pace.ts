import type { Invariant } from "./invariant.ts";

/** Pace: a message to a platform with a pace of its own goes only in a place that was asked for. */
export function createPace(): Invariant {
  const places = new Map<string, number>();
  return {
    name: "pace",
    observe(seen) {
      if (seen.type === "paced" && seen.isGranted) {
        const key = `${seen.process.number} ${seen.address}`;
        places.set(key, (places.get(key) ?? 0) + 1);
      }
      if (seen.type !== "request" || !seen.account.startsWith("pigeon/")) return undefined;
      const key = `${seen.process.number} ${seen.address}`;
      const left = places.get(key) ?? 0;
      places.set(key, left - 1);
      return left > 0 ? undefined : `${seen.row} is sent without a place in the pace of ${seen.account}`;
    },
  };
}
