/** The order of what waits in the mode `steer-backlog`. Pure. */
import type { ItemRow } from "@banyan/plugin-sdk/store";
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

/** Whether two messages ask for the same: then one answer serves both. */
export function isSameTask(one: AskedTask, other: AskedTask): boolean {
  if (one.kind !== "message" || other.kind !== "message" || one.address !== other.address) return false;
  const isPlain = [one.body, other.body].every(({ attachments, quote }) => !attachments?.length && quote === undefined);
  return isPlain && one.body.sender.id === other.body.sender.id && one.body.text.trim() === other.body.text.trim();
}
