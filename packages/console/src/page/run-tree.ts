/** A sub-agent's run as the API gives it. */
export interface TreeRun {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** The status in words. */
  readonly words: string;
  readonly isUnfinished: boolean;
  /** How long it has taken so far, or took. */
  readonly ms: number;
  readonly tokens?: number;
  readonly note?: string;
  readonly delivery?: string;
  /** The message about it will not come to the chat by itself. */
  readonly isUndelivered: boolean;
  readonly children: readonly TreeRun[];
}

/** The sub-agents of the present chat. */
export interface RunTree {
  readonly runs: readonly TreeRun[];
  /** So many more are not listed. */
  readonly hidden: number;
}

/** The API's answer, or `undefined`. A run that this page does not understand is left out. */
export function parseRunTree(value: unknown): RunTree | undefined {
  if (typeof value !== "object" || value === null || !("runs" in value)) return undefined;
  const hidden = "hidden" in value && typeof value.hidden === "number" ? value.hidden : 0;
  return { runs: parseRuns(value.runs), hidden };
}

export function countUnfinished(runs: readonly TreeRun[]): number {
  return runs.reduce((sum, run) => sum + (run.isUnfinished ? 1 : 0) + countUnfinished(run.children), 0);
}

function parseRuns(value: unknown): readonly TreeRun[] {
  return Array.isArray(value) ? value.map(parseRun).filter((run) => run !== undefined) : [];
}

function parseRun(value: unknown): TreeRun | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("id" in value && "name" in value && "status" in value && "ms" in value)) return undefined;
  const { id, name, status, ms } = value;
  if (typeof id !== "string" || typeof name !== "string" || typeof status !== "string" || typeof ms !== "number") {
    return undefined;
  }
  return {
    id,
    name,
    status,
    ms,
    words: "words" in value && typeof value.words === "string" ? value.words : status,
    isUndelivered: "isUndelivered" in value && value.isUndelivered === true,
    isUnfinished: "isUnfinished" in value && value.isUnfinished === true,
    ...("tokens" in value && typeof value.tokens === "number" ? { tokens: value.tokens } : {}),
    ...("note" in value && typeof value.note === "string" ? { note: value.note } : {}),
    ...("delivery" in value && typeof value.delivery === "string" ? { delivery: value.delivery } : {}),
    children: "children" in value ? parseRuns(value.children) : [],
  };
}
