import type { TranscriptEntry } from "@banyan/plugin-sdk";
import type { RunRow, Step } from "@banyan/store";
import type { Observation } from "../world/observation.ts";
import { readTold } from "./announcement.ts";
import { owesCompletion } from "./completions.ts";
import { isChildKey } from "./family.ts";
import type { Invariant } from "./invariant.ts";
import { listWritten } from "./written.ts";

type Stepped = Extract<Observation, { readonly type: "step" }>;

/**
 * Speakers (of I8 to I11, with I30): the chat is told of a run's end by one message, of the host or of the requester, in
 * the step that puts the speaker on record; whatever the agents said, unless the run was to be silent.
 */
export function createSpeakers(): Invariant {
  const tellers = new Map<string, string>();
  return {
    name: "speaker",
    observe(seen, { data }) {
      if (seen.type === "quiet") {
        for (const { row } of data.runs.records.values())
          if (owesCompletion(row) && row.settledBy === undefined) return `nobody has told the chat of ${row.runId}`;
        return undefined;
      }
      return seen.type === "step" ? (judgeRows(seen, tellers) ?? judgeSettled(seen)) : undefined;
    },
  };
}

/** Who tells of a run is put on record with the message, and there is one message. */
function judgeRows(seen: Stepped, tellers: Map<string, string>): string | undefined {
  for (const row of listWritten(seen.step, seen.result)) {
    for (const runId of readTold(row)) {
      const earlier = tellers.get(runId) ?? row.deliveryId;
      if (earlier !== row.deliveryId) return `${earlier} and ${row.deliveryId} both tell of ${runId}`;
      tellers.set(runId, row.deliveryId);
      const change = seen.runs.find(({ after }) => after?.runId === runId);
      const speaker = change?.before?.settledBy === undefined ? change?.after?.settledBy : undefined;
      if (speaker !== "host" && speaker !== "parent")
        return `${row.id} tells of ${runId}, and the run says that ${change?.after?.settledBy ?? "nobody new"} does`;
    }
  }
  return undefined;
}

function judgeSettled({ step, result, runs }: Stepped): string | undefined {
  const told = new Set(listWritten(step, result).flatMap(readTold));
  for (const { before, after } of runs) {
    if (after?.settledBy === undefined || before?.settledBy !== undefined || !owesCompletion(after)) continue;
    const { runId, settledBy } = after;
    const isSilent = hasAskedForSilence(step, runId);
    const isOwed = mustTell(after, isSilent);
    if (isOwed !== undefined && isOwed !== (settledBy !== "nobody")) return `${settledBy} tells of ${runId}`;
    // Who stops a run by a command reads in its answer what became of it.
    const isAnswered = step.step === "command" && step.deliveries.some(({ address }) => address === after.target);
    if (settledBy !== "nobody" && !told.has(runId) && !isAnswered)
      return `${settledBy} has told of ${runId}, and there is no message`;
  }
  return undefined;
}

interface Asked {
  readonly expectsCompletionMessage: boolean;
  readonly isQuiet?: boolean;
}

/**
 * Whether a chat is to hear of it; `undefined` where either is right. What a sub-agent has asked for stays between agents,
 * unless it asked where people read: then it is told there, but not when the sub-agent itself is stopped with it.
 */
function mustTell({ body, toldSessionKey, endedReason }: RunRow, isSilent: boolean): boolean | undefined {
  const { expectsCompletionMessage, isQuiet = false }: Asked = JSON.parse(body);
  if (!expectsCompletionMessage) return false;
  if (toldSessionKey === undefined) return true;
  if (isSilent) return false;
  if (!isChildKey(toldSessionKey)) return true;
  return isStopped(endedReason) && !isQuiet ? undefined : !isQuiet;
}

/** Perhaps together with who had asked for it. */
function isStopped(reason: RunRow["endedReason"]): boolean {
  return reason === "killed" || reason === "session-reset" || reason === "session-delete";
}

/** The one word that asks for it, said as the whole answer of the turn that ended the run. `NO_REPLY` asks for nothing. */
function hasAskedForSilence(step: Step, runId: string): boolean {
  if (step.step !== "commit_turn" || step.run?.runId !== runId) return false;
  return step.entries.some(({ body }) => {
    const { kind, role, content }: TranscriptEntry = JSON.parse(body);
    const [part] = content;
    return kind === "message" && role === "assistant" && part?.type === "text" && part.text === "ANNOUNCE_SKIP";
  });
}
