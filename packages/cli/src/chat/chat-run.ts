/** A sub-agent's run below the chat, as the gateway's API gives it. */
export interface ChatRun {
  readonly id: string;
  readonly isUnfinished: boolean;
  /** It has ended, and the chat has not heard of it yet, but will. */
  readonly isOwed: boolean;
  /** How it fares, to see whether anything moves. */
  readonly state: string;
  readonly children: readonly ChatRun[];
}

/** What the API answered. A run that this version does not understand is left out. */
export function parseChatRuns(value: unknown): readonly ChatRun[] {
  return parseList(readField(value, "runs"));
}

/** The ids of all of them, at any depth. */
export function listRunIds(runs: readonly ChatRun[]): readonly string[] {
  return runs.flatMap(({ id, children }) => [id, ...listRunIds(children)]);
}

/**
 * The runs that somebody still waits for, without those that were known before: what one of them at work asks for itself
 * is of the same question.
 */
export function listOpenRuns(runs: readonly ChatRun[], known: ReadonlySet<string>): readonly ChatRun[] {
  return runs.flatMap((run) => {
    const isKnown = known.has(run.id);
    if (isKnown && run.isUnfinished) return [];
    const own = !isKnown && (run.isUnfinished || run.isOwed) ? [run] : [];
    return [...own, ...listOpenRuns(run.children, known)];
  });
}

function parseList(value: unknown): readonly ChatRun[] {
  return Array.isArray(value) ? value.flatMap((run: unknown) => parseRun(run) ?? []) : [];
}

function parseRun(value: unknown): ChatRun | undefined {
  const id = readField(value, "id");
  if (typeof id !== "string") return undefined;
  const [status, note, delivery] = ["status", "note", "delivery"].map((name) => readField(value, name));
  return {
    id,
    isUnfinished: readField(value, "isUnfinished") === true,
    isOwed: delivery !== undefined && readField(value, "isUndelivered") !== true,
    state: JSON.stringify([status, note, delivery]),
    children: parseList(readField(value, "children")),
  };
}

function readField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
