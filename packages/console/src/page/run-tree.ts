/** A sub-agent's run as the API gives it and the page shows it. */
export interface TreeRun {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** The status in words. */
  readonly words: string;
  readonly isUnfinished: boolean;
  /** From its acceptance to its end, or to now. */
  readonly ms: number;
  readonly tokens?: number;
  /** What an ended one had to say, or one at work says just now, in one line. */
  readonly note?: string;
  /** What is to be known of the message about it, while that is not in the chat. */
  readonly delivery?: string;
  /** It will not come to the chat by itself. */
  readonly isUndelivered?: true;
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
    isUnfinished: "isUnfinished" in value && value.isUnfinished === true,
    ...("tokens" in value && typeof value.tokens === "number" ? { tokens: value.tokens } : {}),
    ...("note" in value && typeof value.note === "string" ? { note: value.note } : {}),
    ...("delivery" in value && typeof value.delivery === "string" ? { delivery: value.delivery } : {}),
    ...("isUndelivered" in value && value.isUndelivered === true ? { isUndelivered: true } : {}),
    children: "children" in value ? parseRuns(value.children) : [],
  };
}
