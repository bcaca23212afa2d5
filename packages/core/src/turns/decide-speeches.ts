import type { RunRow } from "@banyan/plugin-sdk/store";

export interface SpeechFacts {
  /** Whose completions the turn answers to; some may have been told of. */
  readonly answered: readonly Pick<RunRow, "runId" | "spawnSeq">[];
  /** Ended runs of the session of which nobody has told the chat. */
  readonly unsettled: readonly RunRow[];
  /** Runs whose completions wait in the lane for a turn of their own. */
  readonly waiting: ReadonlySet<string>;
  /** What the session has asked for and is not done. */
  readonly unfinished: readonly Pick<RunRow, "spawnSeq">[];
  readonly turn: "visible" | "silent" | "failed";
}

export interface SpeechDecision {
  readonly by: "parent" | "host";
  readonly runs: readonly RunRow[];
}

/**
 * Who tells the chat of the runs that a turn answered to, and of their siblings that earlier turns kept silent about. A
 * visible answer does. Where there is none, the host does, but not while a sibling is at work whose end may bring it.
 */
export function decideSpeeches({ answered, unsettled, waiting, unfinished, turn }: SpeechFacts): SpeechDecision {
  const runIds = new Set(answered.map(({ runId }) => runId));
  const turns = new Set(answered.map(({ spawnSeq }) => spawnSeq).filter((seq) => seq !== undefined));
  const siblings = unsettled.filter(
    ({ runId, spawnSeq }) =>
      runIds.has(runId) || (spawnSeq !== undefined && turns.has(spawnSeq) && !waiting.has(runId)),
  );
  if (turn === "visible") return { by: "parent", runs: siblings };
  if (turn === "failed") return { by: "host", runs: siblings };
  const busy = new Set(unfinished.map(({ spawnSeq }) => spawnSeq));
  const isOver = (run: RunRow) =>
    run.spawnSeq === undefined ||
    !(busy.has(run.spawnSeq) || unsettled.some((other) => other.spawnSeq === run.spawnSeq && waiting.has(other.runId)));
  return { by: "host", runs: siblings.filter(isOver) };
}
