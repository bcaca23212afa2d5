import { type ContentPart, formatAnswer, formatCompletion, type TranscriptEntry } from "@banyan/plugin-sdk";
import { scrubValue } from "../../ports/scrub-value.ts";

/** More of one part would crowd out the others; the transcript has it whole. */
const PART_LIMIT_CHARS = 4_000;
/** A page holds any entry: no character takes more than six bytes as JSON. */
const MOST_PARTS = 3;

/** An entry of a transcript as another session's agent reads it. */
export interface DescribedEntry {
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: TranscriptEntry["kind"];
  readonly role: TranscriptEntry["role"];
  readonly from?: string;
  readonly text: string;
}

/** Without secrets, and without what is for the operator alone; each part cut to its limit. */
export function describeEntry(entry: TranscriptEntry, scrub: (text: string) => string): DescribedEntry {
  const { seq, timestamp, kind, role, sender } = entry;
  const parts = entry.content.filter(isForAgents);
  const left = parts.length - MOST_PARTS;
  const from = sender?.displayName ?? sender?.id;
  return {
    seq,
    at: new Date(timestamp).toISOString(),
    kind,
    role,
    ...(from === undefined ? {} : { from: cutPart(scrub(from)) }),
    text: [
      ...parts.slice(0, MOST_PARTS).map((part) => cutPart(formatPart(part, scrub))),
      ...(left > 0 ? [`… (${left} more parts)`] : []),
    ].join("\n"),
  };
}

function isForAgents(part: ContentPart): boolean {
  if (part.type !== "text" || part.audience === undefined) return true;
  return part.audience.some((audience) => audience !== "operator");
}

function formatPart(part: ContentPart, scrub: (text: string) => string): string {
  switch (part.type) {
    case "text":
      return scrub(part.text);
    case "tool_call":
      return scrub(`${part.name} ${JSON.stringify(scrubValue(part.args, scrub) ?? null)}`);
    case "tool_result":
    case "interruption":
      return scrub(part.text);
    case "question":
      return scrub(part.text);
    case "answer":
      return scrub(formatAnswer(part));
    case "completion":
      return scrub(formatCompletion(part.completion));
  }
}

/** Behind the scrubbing: half a secret is not known as one. */
function cutPart(text: string): string {
  if (text.length <= PART_LIMIT_CHARS) return text.toWellFormed();
  const notice = `… (cut: ${text.length} characters)`;
  return text.slice(0, PART_LIMIT_CHARS - notice.length).toWellFormed() + notice;
}
