const LEVELS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

export interface LogFilter {
  /** The lowest level to show. */
  readonly level?: string | undefined;
  /** A text that a line holds, whatever the case. */
  readonly grep?: string | undefined;
}

/** Whether a line of the log is asked for. One that cannot be read is, unless a level is asked for. */
export function matchesFilter(line: string, { level, grep }: LogFilter): boolean {
  if (grep !== undefined && !line.toLowerCase().includes(grep.toLowerCase())) return false;
  if (level === undefined) return true;
  const [, found = "0"] = /^\{"level":(\d+)/.exec(line) ?? [];
  return Number(found) >= (LEVELS[level] ?? 0);
}
