import type {
  Completion,
  ContentPart,
  CutTurns,
  NewTranscriptEntry,
  StopReason,
  TranscriptEntry,
  Usage,
} from "@banyan/plugin-sdk";
import type { EntryRow, NewEntry } from "@banyan/store";

/** An entry as the store takes it. */
export function formatEntry(entry: NewTranscriptEntry): NewEntry {
  return { id: entry.id, body: JSON.stringify(entry) };
}

/** A stored entry. The body is our own writing, so it is not checked again. */
export function parseEntry(row: Pick<EntryRow, "body">): TranscriptEntry {
  return JSON.parse(row.body);
}

interface Stamp {
  readonly id: string;
  readonly timestamp: number;
}

/** What a person, or a part of the system, put in. */
export function buildInputEntry(
  stamp: Stamp,
  input: Pick<NewTranscriptEntry, "sender" | "attachments"> & { readonly text: string },
): NewTranscriptEntry {
  return {
    ...stamp,
    kind: "message",
    role: "user",
    content: [{ type: "text", text: input.text }],
    ...(input.sender === undefined ? {} : { sender: input.sender }),
    ...(input.attachments?.length ? { attachments: input.attachments } : {}),
  };
}

export function buildAnswerEntry(
  stamp: Stamp,
  answer: {
    readonly text: string;
    readonly stopReason: StopReason;
    readonly provider: string;
    readonly model?: string;
    readonly usage?: Usage;
    readonly runId?: string | undefined;
  },
): NewTranscriptEntry {
  const { text, runId, ...rest } = answer;
  const worksFor = runId === undefined ? {} : { runId };
  return { ...stamp, kind: "message", role: "assistant", content: [{ type: "text", text }], ...rest, ...worksFor };
}

/** A line of the host: an error the sender was told, a reset, a quarantine. */
export function buildNoticeEntry(stamp: Stamp, kind: "notice" | "reset", text: string): NewTranscriptEntry {
  return { ...stamp, kind, role: "system", content: [{ type: "text", text }] };
}

const CUT_OFF = {
  here: "(A newer message took the place of the turn before it was finished: it was cut off here, and its answer was not sent.)",
  checkpoint:
    "(A newer message took the place of the turn before it was finished: it was cut off, and what it had said and found out is left out here.)",
} as const;

/** Where turns were cut off by a newer message. */
export function buildInterruptionEntry(stamp: Stamp, cut: CutTurns): NewTranscriptEntry {
  const text = cut.isSetBack ? CUT_OFF.checkpoint : CUT_OFF.here;
  return { ...stamp, kind: "interruption", role: "system", content: [{ type: "interruption", text, ...cut }] };
}

export function buildToolEntry(
  stamp: Stamp,
  part: Extract<ContentPart, { type: "tool_call" | "tool_result" }>,
): NewTranscriptEntry {
  return {
    ...stamp,
    kind: part.type,
    role: part.type === "tool_call" ? "assistant" : "tool",
    content: [part],
  };
}

/** One id, however often a turn on it begins: it enters a transcript once. */
export function buildCompletionEntryId(runId: string): string {
  return `completion|${runId}`;
}

/** The end of a run, as its requester has it. */
export function buildCompletionEntry(timestamp: number, completion: Completion): NewTranscriptEntry {
  return {
    id: buildCompletionEntryId(completion.runId),
    timestamp,
    kind: "completion",
    role: "user",
    content: [{ type: "completion", completion }],
  };
}
