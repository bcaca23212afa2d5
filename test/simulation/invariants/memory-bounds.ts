import type { Invariant } from "./invariant.ts";

/** I24: what a gateway holds in memory for work is gone with the work. */
export function createMemoryBounds(): Invariant {
  return {
    name: "I24",
    observe(seen) {
      if (seen.type !== "quiet") return undefined;
      const held = Object.entries(seen.load).filter(([, count]) => count > 0);
      return held.length === 0
        ? undefined
        : `all is quiet, and in memory are ${held.map(([name, count]) => `${count} ${name}`).join(", ")}`;
    },
  };
}
