/** What a call may use; the defaults are those of the specification. */
export interface ToolLimits {
  readonly timeoutMs: number;
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
  /** No call may take longer, whatever its tool needs. */
  readonly mostMs?: number;
}

export const DEFAULT_TOOL_LIMITS: ToolLimits = {
  timeoutMs: 30_000,
  outputLimitBytes: 80_000,
  listingLimitEntries: 5_000,
  readLimitBytes: 256 * 1024,
  writeLimitBytes: 1024 * 1024,
  programMs: 60_000,
};
