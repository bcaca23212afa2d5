/** The order of what waits in the mode `steer-backlog`. Pure. */
import type { ItemRow } from "@banyan/plugin-sdk/store";
import { parseItemBody } from "./item-body.ts";

export const LOWEST_PRIORITY = 1;
export const HIGHEST_PRIORITY = 10;
const DEFAULT_PRIORITY = 5;

/** From 1 to 10, the higher the sooner. */
function readPriority({ body }: Pick<ItemRow, "body">): number {
  const { priority = DEFAULT_PRIORITY } = parseItemBody(body);
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

/** Whether two messages ask for the same: then one answer serves both. */
export function isSameTask(one: ItemRow, other: ItemRow): boolean {
  if (one.kind !== "message" || other.kind !== "message" || one.address !== other.address) return false;
  const [first, second] = [parseItemBody(one.body), parseItemBody(other.body)];
  const isPlain = [first, second].every(({ attachments, quote }) => !attachments?.length && quote === undefined);
  return isPlain && first.sender.id === second.sender.id && first.text.trim() === second.text.trim();
}
