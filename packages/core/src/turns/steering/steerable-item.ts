import type { Claim, ItemRow } from "@banyan/store";
import { isCompanion } from "../../lanes/backlog.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";

export interface SteeredTurn {
  readonly claim: Pick<Claim, "item">;
  readonly turn: { readonly taken: readonly number[]; readonly record: SessionRecord };
}

/**
 * What of a lane's open items can be handed to the turn that runs: what is behind nothing else, for the same run and from
 * the same place. A command holds up all behind it, as it does for a turn of their own.
 */
export function listSteerable(open: readonly ItemRow[], { claim, turn }: SteeredTurn): readonly ItemRow[] {
  const { item } = claim;
  // What is only written down between two turns is heard by none, so it stands before nothing.
  const waiting = open.filter(
    ({ seq, state, wake }) => state === "waiting" && wake !== "append" && seq !== item.seq && !turn.taken.includes(seq),
  );
  const end = waiting.findIndex((each) => !isLike(each, item, turn));
  return end < 0 ? waiting : waiting.slice(0, end);
}

function isLike(row: ItemRow, item: ItemRow, { record }: SteeredTurn["turn"]): boolean {
  // Another session waits for the answer to its own message.
  if (row.kind === "nested" && row.runId === undefined) return false;
  return row.kind !== "command" && isCompanion(row, item, record.entry.sessionId);
}
