import type { ContentPart, EntryKind, TranscriptEntry } from "@banyan/plugin-sdk";
import type { NewEntry } from "@banyan/store";
import { formatEntry } from "../../sessions/transcript.ts";

/** What a copied context may hold at most. */
export const FORK_LIMIT_TOKENS = 100_000;
/** What a token is on average in the languages most written; models differ, so this is an estimate and said so. */
const CHARS_PER_TOKEN = 4;
/** Who speaks and where an entry ends; also bounds how many entries fit. */
const ENTRY_TOKENS = 4;
/** What the host wrote about the session itself: it is not true of the child. */
const LEFT_OUT: readonly EntryKind[] = ["reset", "notice", "interruption", "usage"];

/** About how many tokens entries are to a model: a quarter of their characters and a little for each entry. */
export function estimateTokens(entries: readonly Pick<TranscriptEntry, "content">[]): number {
  return entries.reduce((sum, entry) => sum + estimateEntry(entry), 0);
}

/**
 * The entries of a parent as the first ones of its child, each with a new id; all else is kept. Where they do not fit,
 * the latest are taken. A call whose result is not there yet, which is the spawn itself, is left out.
 */
export function copyForkEntries(entries: readonly TranscriptEntry[], createId: () => string): readonly NewEntry[] {
  const copied = keepLatest(withoutLooseCalls(entries.filter(({ kind }) => !LEFT_OUT.includes(kind))));
  return copied.map(({ seq: _, ...entry }) => formatEntry({ ...entry, id: createId() }));
}

function estimateEntry({ content }: Pick<TranscriptEntry, "content">): number {
  const chars = content.reduce((sum, part) => sum + countChars(part), 0);
  return ENTRY_TOKENS + Math.ceil(chars / CHARS_PER_TOKEN);
}

function countChars(part: ContentPart): number {
  switch (part.type) {
    case "text":
      return part.text.length;
    case "tool_result":
      return part.name.length + part.text.length;
    default:
      return JSON.stringify(part).length;
  }
}

/** A call belongs to the next result of its ordinal in the same turn; one that finds none has none. */
function withoutLooseCalls(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const answered = new Set<number>();
  const kept = entries.toReversed().filter(({ kind, role, content }) => {
    const [part] = content;
    // Ordinals are counted anew in each turn, which a person's message begins.
    if (kind === "message" && role === "user") answered.clear();
    if (part?.type === "tool_result") answered.add(part.ordinal);
    return part?.type !== "tool_call" || answered.delete(part.ordinal);
  });
  return kept.toReversed();
}

/** A result whose call was cut away says nothing, so a context never begins with one. */
function keepLatest(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  let from = entries.length;
  let tokens = 0;
  for (const [at, entry] of [...entries.entries()].toReversed()) {
    tokens += estimateEntry(entry);
    if (tokens > FORK_LIMIT_TOKENS) break;
    from = at;
  }
  while (entries[from]?.kind === "tool_result") from++;
  return entries.slice(from);
}
