import type { TranscriptEntry, Usage } from "@banyan/plugin-sdk";

const FIELDS = ["inputTokens", "outputTokens", "cacheRead", "cacheWrite", "costUsd"] as const satisfies (keyof Usage)[];

/** Both together, `other` behind `one`; what neither knows stays unknown. A total is no part of a sum: the last one holds. */
export function addUsage(one: Usage, other: Usage): Usage {
  return { ...combine(one, other, (a, b) => a + b), ...readTotal(other.spentUsd === undefined ? one : other) };
}

/** What of a usage is new since an earlier look at it. */
export function subtractUsage(now: Usage, before: Usage): Usage {
  const fresh = combine(now, before, (a, b) => Math.max(0, a - b));
  return now.spentUsd === before.spentUsd ? fresh : { ...fresh, ...readTotal(now) };
}

function readTotal({ spentUsd }: Usage): Pick<Usage, "spentUsd"> {
  return spentUsd === undefined ? {} : { spentUsd };
}

function combine(one: Usage, other: Usage, join: (a: number, b: number) => number): Usage {
  const known = FIELDS.filter((field) => one[field] !== undefined || other[field] !== undefined);
  return Object.fromEntries(known.map((field) => [field, join(one[field] ?? 0, other[field] ?? 0)]));
}

/** What attempts of a turn have written down with their tool results, or when they were given back. */
export function sumUsage(entries: readonly TranscriptEntry[]): Usage | undefined {
  const usages = entries.flatMap(({ kind, usage }) =>
    usage !== undefined && (kind === "tool_result" || kind === "usage") ? [usage] : [],
  );
  return usages.length === 0 ? undefined : usages.reduce(addUsage);
}
