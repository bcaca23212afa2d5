import type { ToolBoundaries } from "../../config/shapes/tool-boundaries.ts";
import type { ToolLimits } from "../tool-limits.ts";

const SECOND_MS = 1_000;

/** The boundaries that one agent of a session's lineage sets. All of them hold: a child's are never wider. */
export interface AgentBoundaries {
  /** Absolute: what its patterns of paths start from. */
  readonly baseDir: string;
  readonly rules: ToolBoundaries;
}

/** The limits of a call: the narrowest of the lineage. An agent that says nothing of one has the host's own. */
export function narrowLimits(limits: ToolLimits, boundaries: readonly AgentBoundaries[]): ToolLimits {
  if (boundaries.length === 0) return limits;
  const least = (key: "outputLimitBytes" | "readLimitBytes" | "writeLimitBytes") =>
    Math.min(...boundaries.map(({ rules }) => rules[key] ?? limits[key]));
  const said = boundaries.flatMap(({ rules: { timeoutSeconds } }) => timeoutSeconds ?? []);
  const programs = boundaries.map(({ rules: { timeoutSeconds: seconds } }) =>
    seconds === undefined ? limits.programMs : seconds * SECOND_MS,
  );
  return {
    ...limits,
    outputLimitBytes: least("outputLimitBytes"),
    readLimitBytes: least("readLimitBytes"),
    writeLimitBytes: least("writeLimitBytes"),
    programMs: Math.min(...programs),
    ...(said.length === 0 ? {} : { mostMs: Math.min(...said) * SECOND_MS }),
  };
}
