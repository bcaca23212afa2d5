import type { RunRow } from "@banyan/store";

export interface SpeechFacts {
  /** Whose completions the turn answers to; some may have been told of. */
  readonly answered: readonly Pick<RunRow, "runId" | "spawnSeq">[];
  /** Ended runs of the session of which nobody has told the chat. */
  readonly unsettled: readonly RunRow[];
  /** Runs whose completions wait in the lane for a turn of their own. */
  readonly waiting: ReadonlySet<string>;
  /** What the session has asked for and is not done. */
  readonly unfinished: readonly Pick<RunRow, "spawnSeq" | "isAwaited">[];
  readonly turn: "visible" | "silent" | "failed";
  /** Where the turn speaks. */
  readonly address: string;
}

/** Of which runs the turn's own answer tells, and of which the host does, each at its own place. */
export interface SpeechDecision {
  readonly parent: readonly RunRow[];
  readonly host: readonly RunRow[];
}

/**
 * Who tells the chat of the runs that a turn answered to, and of their siblings that earlier turns kept silent about. A
 * visible answer does. Where there is none, the host does, but not while a sibling is at work whose end may bring it.
 */
export function decideSpeeches(facts: SpeechFacts): SpeechDecision {
  const { answered, unsettled, waiting, unfinished, turn, address } = facts;
  const runIds = new Set(answered.map(({ runId }) => runId));
  const turns = new Set(answered.map(({ spawnSeq }) => spawnSeq).filter((seq) => seq !== undefined));
  const siblings = unsettled.filter(
    ({ runId, spawnSeq }) =>
      runIds.has(runId) || (spawnSeq !== undefined && turns.has(spawnSeq) && !waiting.has(runId)),
  );
  // An answer tells those who read it: what goes to another chat, the host tells there.
  const isHere = (run: RunRow) => (run.target ?? run.route) === address;
  if (turn === "visible") return { parent: siblings.filter(isHere), host: siblings.filter((run) => !isHere(run)) };
  if (turn === "failed") return { parent: [], host: siblings };
  const busy = new Set(unfinished.filter(({ isAwaited }) => isAwaited).map(({ spawnSeq }) => spawnSeq));
  const isOver = ({ spawnSeq }: RunRow) =>
    spawnSeq === undefined ||
    !(busy.has(spawnSeq) || unsettled.some((other) => other.spawnSeq === spawnSeq && waiting.has(other.runId)));
  return { parent: [], host: siblings.filter(isOver) };
}
