import type { ToolBoundaries } from "../../config/shapes/tool-boundaries.ts";
import type { ToolLimits } from "../tool-limits.ts";

/** The boundaries that one agent of a session's lineage sets. All of them hold: a child's are never wider. */
export interface AgentBoundaries {
  /** Absolute: what its patterns of paths start from. */
  readonly baseDir: string;
  readonly rules: ToolBoundaries;
}

/** The limits of a call: the narrowest of all that say something. */
export function narrowLimits(limits: ToolLimits, boundaries: readonly AgentBoundaries[]): ToolLimits {
  const least = (given: number, key: "outputLimitBytes" | "readLimitBytes" | "writeLimitBytes") =>
    Math.min(given, ...boundaries.map(({ rules }) => rules[key] ?? Number.POSITIVE_INFINITY));
  const seconds = boundaries.flatMap(({ rules: { timeoutSeconds } }) => timeoutSeconds ?? []);
  return {
    ...limits,
    outputLimitBytes: least(limits.outputLimitBytes, "outputLimitBytes"),
    readLimitBytes: least(limits.readLimitBytes, "readLimitBytes"),
    writeLimitBytes: least(limits.writeLimitBytes, "writeLimitBytes"),
    ...(seconds.length === 0 ? {} : { mostMs: Math.min(...seconds) * 1_000 }),
  };
}
