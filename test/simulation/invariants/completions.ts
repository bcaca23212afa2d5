import type { TranscriptEntry } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/store";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Invariant } from "./invariant.ts";

/** Whether somebody was promised to hear of its end. */
export function owesCompletion({ state, endedReason }: RunRow): boolean {
  return state !== "reserved" && endedReason !== "spawn-failed";
}

/** Whether its requester is there to be told. */
function isOpen({ requesterSessionKey }: RunRow, { sessions }: StoreMirror): boolean {
  const row = sessions.get(requesterSessionKey);
  return row !== undefined && row.archivedAtMs === undefined;
}

/** I1: the end of a run enters the transcript of the session that is told of it once, and no other one. */
export function createCompletionEntries(): Invariant {
  return {
    name: "I1",
    observe(seen, { data }) {
      if (seen.type !== "quiet" || data.runs.records.size === 0) return undefined;
      const places = listCompletionEntries(data);
      for (const { row } of data.runs.records.values()) {
        if (!owesCompletion(row)) continue;
        const found = places.get(row.runId) ?? [];
        places.delete(row.runId);
        const wrong = judgePlaces(row, found, data);
        if (wrong !== undefined) return wrong;
      }
      const [stray] = places.keys();
      return stray === undefined ? undefined : `a transcript tells of the end of ${stray}, which owes none`;
    },
  };
}

function judgePlaces(row: RunRow, found: readonly string[], data: StoreMirror): string | undefined {
  const { runId, toldSessionKey } = row;
  if (toldSessionKey === undefined) {
    if (found.length > 0) return `nobody was left to tell of ${runId}, and ${found.join()} knows`;
    return isOpen(row, data) ? `nobody is told of ${runId}, and its requester is there` : undefined;
  }
  const place = findClosedPlace(runId, data) ?? toldSessionKey;
  return found.length === 1 && found[0] === place
    ? undefined
    : `the end of ${runId} is for ${place}, and stands in ${found.join(" and ") || "no transcript"}`;
}

/** A reset closes a conversation, and what it stops is told there, wherever that stands by now. */
function findClosedPlace(runId: string, { seldom, items }: StoreMirror): string | undefined {
  const item = items.get(seldom.findSeq(`completion|${runId}`) ?? 0)?.row;
  const { sessionId }: { readonly sessionId?: string } = JSON.parse(item?.body ?? "{}");
  return sessionId === undefined ? undefined : seldom.findTranscriptKey(sessionId);
}

/**
 * By run: the keys of the sessions whose transcripts tell of its end. A sub-agent that begins with its parent's context
 * has copies of what stands there, under ids of their own.
 */
function listCompletionEntries({ seldom }: StoreMirror): Map<string, readonly string[]> {
  const places = new Map<string, readonly string[]>();
  for (const { id, body, sessionKey } of seldom.listEntries()) {
    if (!id.startsWith("completion|")) continue;
    const { kind, content }: TranscriptEntry = JSON.parse(body);
    const [part] = content;
    const runId = kind === "completion" && part?.type === "completion" ? part.completion.runId : id;
    places.set(runId, [...(places.get(runId) ?? []), sessionKey]);
  }
  return places;
}

/** I3: a run that was accepted has ended exactly when its requester's lane has its end: the two are one step. */
export function createCompletionItems(): Invariant {
  let lastPos = 0;
  return {
    name: "I3",
    observe(seen, { data }) {
      if (seen.type !== "step") return undefined;
      const fromPos = lastPos + 1;
      lastPos = data.lastPos;
      for (const { before, after } of seen.runs) {
        if (after === undefined || !owesCompletion(after)) continue;
        const seq = data.seldom.findSeq(`completion|${after.runId}`);
        const isDue = after.state === "ended" && (after.toldSessionKey !== undefined || isOpen(after, data));
        if (isDue !== (seq !== undefined))
          return `${after.runId} is ${after.state}, and its completion ${seq === undefined ? "is in no lane" : `is the item ${seq}`}`;
        const isNew = before?.state !== "ended" && seq !== undefined;
        if (isNew && data.items.get(seq)?.row.lane !== after.toldSessionKey)
          return `the end of ${after.runId} is for ${after.toldSessionKey}, and waits in another lane`;
      }
      // Nor does one come from anywhere else.
      for (let seq = fromPos; seq <= data.lastPos; seq += 1) {
        const item = data.items.get(seq);
        if (item?.row.kind !== "completion") continue;
        const run = data.runs.records.get(item.dedupe.slice("completion|".length))?.row;
        if (run?.state !== "ended") return `item ${seq} tells of the end of ${run?.runId}, which is ${run?.state}`;
      }
      return undefined;
    },
  };
}
