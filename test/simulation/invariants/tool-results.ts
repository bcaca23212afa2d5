import type { Invariant } from "./invariant.ts";

/** T2b: what an agent was given as a tool's result is known to every later attempt of its turn. */
export function createToolResults(): Invariant {
  const given = new Map<string, Map<number, string>>();
  return {
    name: "T2b",
    observe(seen) {
      if (seen.type === "tool") {
        const { turnId, ordinal, text } = seen;
        const ofTurn = given.get(turnId) ?? new Map<number, string>();
        given.set(turnId, ofTurn.set(ordinal, text));
      }
      // A process that has slept through the next attempt knows nothing of it, and is fenced.
      if (seen.type !== "turn" || !seen.process.isLeader) return undefined;
      const known = new Map(seen.committedCalls.map(({ ordinal, result }) => [ordinal, result.text]));
      for (const [ordinal, text] of given.get(seen.turnId) ?? [])
        if (known.get(ordinal) !== text)
          return `attempt ${seen.attempt} of ${seen.turnId} does not know call ${ordinal}`;
      return undefined;
    },
  };
}
