import type { StoreMirror } from "../world/store-mirror.ts";
import type { Invariant } from "./invariant.ts";
import { listClaims } from "./lane-order.ts";

/** Edits: the agent is given what a message says when its turn begins, every correction until then included. */
export function createEdits(): Invariant {
  const claimed = new Set<number>();
  const claimedAgain = new Set<number>();
  return {
    name: "edits",
    observe(seen, { data }) {
      if (seen.type === "step")
        for (const { item } of listClaims(seen)) (claimed.has(item.seq) ? claimedAgain : claimed).add(item.seq);
      if (seen.type !== "step" || seen.step.step !== "commit_turn" || seen.result.status !== "done") return undefined;
      const row = data.items.get(seen.step.items[0] ?? 0)?.row;
      // What comes from inside is never corrected, and may go to a conversation that is over.
      if (row?.kind !== "message") return undefined;
      // A later attempt goes on with what the first one left in the transcript.
      if (claimedAgain.has(row.seq)) return undefined;
      const { text }: { readonly text: string } = JSON.parse(row.body);
      const bodies = data.seldom.listEntriesOfItem(row.seq).map(({ body }) => body);
      const shown = JSON.stringify(text).slice(1, -1);
      if (bodies.length === 0 && standsAnywhere(shown, data)) return undefined;
      return bodies.some((body) => body.includes(shown))
        ? undefined
        : `item ${row.seq} says “${text}”, and its turn began with something else`;
    },
  };
}

/** A conversation that was over by then keeps what it was told, which is the work of no item. */
function standsAnywhere(shown: string, { seldom }: StoreMirror): boolean {
  return seldom.listEntries().some(({ body }) => body.includes(shown));
}
