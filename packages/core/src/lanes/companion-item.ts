import type { ItemRow } from "@banyan/store";
import { parseItemBody } from "./item-body.ts";

/**
 * Whether one turn can answer to both: for the same run, from the same place, told or not told there alike. What is only
 * written down needs no more than the same conversation. `sessionId`: of whatever names none.
 */
export function isCompanion(one: ItemRow, other: ItemRow, sessionId: string): boolean {
  const wake = one.wake ?? "turn";
  if (wake !== (other.wake ?? "turn")) return false;
  const [first, second] = [parseItemBody(one.body), parseItemBody(other.body)];
  // What tells an ended conversation belongs to that one's transcript.
  if ((first.sessionId ?? sessionId) !== (second.sessionId ?? sessionId)) return false;
  if (wake === "append") return true;
  const isToldAlike = (first.isQuiet ?? false) === (second.isQuiet ?? false);
  return isToldAlike && one.runId === other.runId && one.address === other.address;
}
