import type { RunRow, StoreReads } from "@banyan/store";
import { parseEntry } from "../sessions/transcript.ts";
import type { EndingTurn } from "./ending-turn.ts";

/** A turn writes to so many at most that this matters for. */
const MOST_SENT = 100;

/** What of an ending turn says which replies it got. */
export interface RepliedTurn extends Pick<EndingTurn, "reply"> {
  readonly turn: { readonly claim: { readonly lane: string; readonly item: { readonly seq: number } } };
  readonly end: Pick<EndingTurn["end"], "outcome"> & { readonly figures: { readonly toolCalls?: number } };
}

/**
 * Runs whose reply a call of the turn has waited for and got, and of which nobody has told: a visible answer tells of
 * them, so that their completions, which still come, need no other one. Any other end leaves that to the completions.
 */
export async function readReplied(
  { turn, end, reply }: RepliedTurn,
  read: Pick<StoreReads, "runs" | "entriesOfItem">,
): Promise<readonly RunRow[]> {
  if (end.outcome !== "done" || reply === undefined || (end.figures.toolCalls ?? 0) === 0) return [];
  const { lane, item } = turn.claim;
  const unsettled = await read.runs({ toldSessionKey: lane, unsettled: true, newest: true, limit: MOST_SENT });
  const sent = unsettled.filter(({ spawnSeq }) => spawnSeq === item.seq);
  if (sent.length === 0) return [];
  const entries = await read.entriesOfItem({ itemSeq: item.seq });
  const parts = entries.map(parseEntry).flatMap(({ content }) => content);
  const results = parts.flatMap((part) => (part.type === "tool_result" && !part.isError ? [part.text] : []));
  return sent.filter(({ runId }) => results.some((text) => isReplyOf(text, runId)));
}

/** As `sessions_send` and `subagents send` answer: the status and the run come first. */
function isReplyOf(text: string, runId: string): boolean {
  return text.startsWith(JSON.stringify({ status: "replied", runId }).slice(0, -1));
}
