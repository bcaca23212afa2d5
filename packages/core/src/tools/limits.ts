import type { BudgetsConfig } from "../config/shapes/budget-config.ts";
import type { AgentBoundaries } from "./boundaries/decide.ts";

const SECOND_MS = 1_000;

/** What a call may use; the defaults are those of the specification. */
export interface ToolLimits {
  /** Of a tool that has no time of its own. */
  readonly timeoutMs: number;
  /** Of each tool. Absent: as long as it says. */
  readonly maxTimeoutMs?: number;
  /** Of a result, as UTF-8, the notice where it was cut included. More would crowd the agent's context. */
  readonly outputLimitBytes: number;
  /** Files and directories of one listing. */
  readonly listingLimitEntries: number;
  /** Of one read of a file; the output limit holds as well. */
  readonly readLimitBytes: number;
  /** Of one file that is written. */
  readonly writeLimitBytes: number;
  /** Of one program. */
  readonly programMs: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = {
  timeoutMs: 30_000,
  outputLimitBytes: 80_000,
  listingLimitEntries: 5_000,
  readLimitBytes: 256 * 1024,
  writeLimitBytes: 1024 * 1024,
  programMs: 60_000,
};

/** The limits of an agent's calls: our own, but for the times that its budgets set. */
export function getToolLimits({ toolTimeoutSeconds, maxToolTimeoutSeconds }: BudgetsConfig = {}): ToolLimits {
  return {
    ...DEFAULT_TOOL_LIMITS,
    ...(toolTimeoutSeconds === undefined ? {} : { timeoutMs: toolTimeoutSeconds * SECOND_MS }),
    ...(maxToolTimeoutSeconds === undefined ? {} : { maxTimeoutMs: maxToolTimeoutSeconds * SECOND_MS }),
  };
}

/** How long a call may take. */
export function resolveToolTimeoutMs(toolMs: number | undefined, limits: ToolLimits): number {
  return Math.min(toolMs ?? limits.timeoutMs, limits.maxTimeoutMs ?? Number.POSITIVE_INFINITY);
}

/** The limits of a call: the narrowest of the lineage. An agent that says nothing of one has the host's own. */
export function narrowLimits(limits: ToolLimits, boundaries: readonly AgentBoundaries[]): ToolLimits {
  if (boundaries.length === 0) return limits;
  const findLeast = (key: "outputLimitBytes" | "readLimitBytes" | "writeLimitBytes") =>
    Math.min(...boundaries.map(({ rules }) => rules[key] ?? limits[key]));
  const timeoutsMs = boundaries.flatMap(({ rules: { timeoutSeconds: seconds } }) =>
    seconds === undefined ? [] : [seconds * SECOND_MS],
  );
  const programLimitsMs = boundaries.map(({ rules: { timeoutSeconds: seconds } }) =>
    seconds === undefined ? limits.programMs : seconds * SECOND_MS,
  );
  return {
    ...limits,
    outputLimitBytes: findLeast("outputLimitBytes"),
    readLimitBytes: findLeast("readLimitBytes"),
    writeLimitBytes: findLeast("writeLimitBytes"),
    programMs: Math.min(...programLimitsMs),
    ...(timeoutsMs.length === 0
      ? {}
      : { maxTimeoutMs: Math.min(...timeoutsMs, limits.maxTimeoutMs ?? Number.POSITIVE_INFINITY) }),
  };
}
