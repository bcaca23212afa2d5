import type { RunRow } from "@banyan/store";
import { buildThreadMark } from "../../../plugins/discord/src/threads/thread-mark.ts";
import { readStarterMark } from "../platforms/discord/starter.ts";
import type { ThreadBeginning } from "../world/observation.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Grounds, Invariant } from "./invariant.ts";

/**
 * Threads: a spawn has one starter message at most; and when all is quiet neither a starter message nor an open thread is
 * left of a spawn that was refused or undone.
 */
export function createSpawnThreads(): Invariant {
  const starters = new Map<string, string>();
  return {
    name: "threads",
    observe(seen, grounds) {
      if (seen.type === "lined") {
        const mark = readStarterMark(seen.text);
        if (mark === undefined) return undefined;
        const known = starters.get(mark) ?? seen.id;
        starters.set(mark, known);
        return known === seen.id ? undefined : `the spawn of ${mark} has the starter messages ${known} and ${seen.id}`;
      }
      return seen.type === "quiet" ? judgeLeft(grounds, seen.threads) : undefined;
    },
  };
}

function judgeLeft({ data }: Grounds, beginnings: readonly ThreadBeginning[]): string | undefined {
  if (beginnings.length === 0) return undefined;
  const marks = new Set(listAccepted(data).map(readMark));
  for (const { mark, hasOpenThread } of beginnings)
    if (!marks.has(mark))
      return `${hasOpenThread ? "an open thread" : "a starter message"} is left of a spawn that came to nothing (${mark})`;
  return undefined;
}

function listAccepted({ runs }: StoreMirror): readonly RunRow[] {
  return [...runs.records.values()].flatMap(({ row }) => (row.endedReason === "spawn-failed" ? [] : row));
}

function readMark({ body }: RunRow): string | undefined {
  const { bindingId }: { readonly bindingId?: string } = JSON.parse(body);
  return bindingId === undefined ? undefined : buildThreadMark(bindingId);
}
