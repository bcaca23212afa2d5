/** The order of what waits in the mode `steer-backlog`. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { ItemRow } from "@banyan/store";
import type { ItemBody } from "./item-body.ts";

export const LOWEST_PRIORITY = 1;
export const HIGHEST_PRIORITY = 10;
/** Of what nobody has said anything of. */
const DEFAULT_PRIORITY = 5;

/** From 1 to 10, the higher the sooner. */
function readPriority({ priority = DEFAULT_PRIORITY }: Pick<ItemRow, "priority">): number {
  return priority;
}

/** The more urgent first, of the same urgency in the order in which they came. */
export function sortBacklog(waiting: readonly ItemRow[]): readonly ItemRow[] {
  return waiting.toSorted((one, other) => readPriority(other) - readPriority(one) || one.seq - other.seq);
}

/** The first part of a lane's open items: what no command holds up. */
export function listClaimable(open: readonly ItemRow[]): readonly ItemRow[] {
  const waiting = open.filter(({ state }) => state === "waiting");
  const end = waiting.findIndex(({ kind }) => kind === "command");
  return end < 0 ? waiting : waiting.slice(0, end);
}

/** What of a message says what it asks for, and where. */
export interface AskedTask extends Pick<ItemRow, "kind" | "address"> {
  readonly body: Pick<ItemBody, "sender" | "text" | "attachments" | "quote">;
}

/**
 * Whether two messages ask for the same: then one answer serves both. One person's words, however they are spaced, about
 * the same message where they are about one; what came with files is its own.
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
