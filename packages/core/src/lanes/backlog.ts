/** What waits in a lane: its order, and which items one turn can answer together. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { ItemRow } from "@banyan/store";
import { type ItemBody, parseItemBody } from "./item-body.ts";

export const LOWEST_PRIORITY = 1;
export const HIGHEST_PRIORITY = 10;
/** Of an item without a priority. */
const DEFAULT_PRIORITY = 5;

/** From 1 to 10. The highest is first. */
function readPriority({ priority = DEFAULT_PRIORITY }: Pick<ItemRow, "priority">): number {
  return priority;
}

/** Sorts by priority for the mode `steer-backlog`; items of the same priority keep their order. */
export function sortBacklog(waiting: readonly ItemRow[]): readonly ItemRow[] {
  return waiting.toSorted((one, other) => readPriority(other) - readPriority(one) || one.seq - other.seq);
}

/** Lists the waiting items before the first command of the lane. */
export function listClaimable(open: readonly ItemRow[]): readonly ItemRow[] {
  const waiting = open.filter(({ state }) => state === "waiting");
  const end = waiting.findIndex(({ kind }) => kind === "command");
  return end < 0 ? waiting : waiting.slice(0, end);
}

/** The parts of a message that say what it asks for, and where. */
export interface AskedTask extends Pick<ItemRow, "kind" | "address"> {
  readonly body: Pick<ItemBody, "sender" | "text" | "attachments" | "quote">;
}

/**
 * Whether two messages ask for the same, so that one answer is enough: the same text of one person, whatever its spaces, with
 * the same quote. A message with files is never the same as another one.
 */
export function isSameTask(one: AskedTask, other: AskedTask): boolean {
  if (one.kind !== "message" || other.kind !== "message" || one.address !== other.address) return false;
  const [first, second] = [one.body, other.body];
  if (first.attachments?.length || second.attachments?.length || first.sender.id !== second.sender.id) return false;
  return foldSpaces(first.text) === foldSpaces(second.text) && isDeepStrictEqual(first.quote, second.quote);
}

function foldSpaces(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}

/**
 * Whether one turn can answer both: they belong to the same run and the same place, and both answers go there, or neither.
 * Items that are only written to the transcript need only the same session. `sessionId`: of an item that names none.
 */
export function isCompanion(one: ItemRow, other: ItemRow, sessionId: string): boolean {
  const wake = one.wake ?? "turn";
  if (wake !== (other.wake ?? "turn")) return false;
  const [first, second] = [parseItemBody(one.body), parseItemBody(other.body)];
  // A completion for a session that has ended belongs to that session's transcript.
  if ((first.sessionId ?? sessionId) !== (second.sessionId ?? sessionId)) return false;
  if (wake === "append") return true;
  const isQuietAlike = (first.isQuiet ?? false) === (second.isQuiet ?? false);
  return isQuietAlike && one.runId === other.runId && one.address === other.address;
}
