import type { BudgetsConfig } from "../config/shapes/budget-config.ts";
import type { AgentBoundaries } from "./boundaries/decide.ts";

const SECOND_MS = 1_000;

/** What a call may use. */
export interface ToolLimits {
  /** Of a tool that sets no timeout. */
  readonly timeoutMs: number;
  /** Of every tool, also of one that sets its own timeout. Absent: no maximum. */
  readonly maxTimeoutMs?: number;
  /** Of a result as UTF-8, including the notice of a cut. More would crowd the agent's context. */
  readonly outputLimitBytes: number;
  /** Files and directories of one listing. */
  readonly listingLimitEntries: number;
  /** Of one read of a file; the output limit applies as well. */
  readonly readLimitBytes: number;
  /** Of one written file. */
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

/** Returns the limits of an agent's calls: the defaults, with the timeouts of its budgets. */
export function getToolLimits({ toolTimeoutSeconds, maxToolTimeoutSeconds }: BudgetsConfig = {}): ToolLimits {
  return {
    ...DEFAULT_TOOL_LIMITS,
    ...(toolTimeoutSeconds === undefined ? {} : { timeoutMs: toolTimeoutSeconds * SECOND_MS }),
    ...(maxToolTimeoutSeconds === undefined ? {} : { maxTimeoutMs: maxToolTimeoutSeconds * SECOND_MS }),
  };
}

/** Returns how long a call may take. */
export function resolveToolTimeoutMs(toolMs: number | undefined, limits: ToolLimits): number {
  return Math.min(toolMs ?? limits.timeoutMs, limits.maxTimeoutMs ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns the limits of a call: for each limit the narrowest of the lineage. Where an agent sets none, the default
 * applies.
 */
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
