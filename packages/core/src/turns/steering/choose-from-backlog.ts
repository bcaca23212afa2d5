import { isAddress } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/store";
import { listClaimable, sortBacklog } from "../../lanes/backlog.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";
import type { TurnParts } from "../turn-parts.ts";

/** The item that goes first where the conversation keeps a backlog; `undefined` where it keeps none, or one waits. */
export function chooseFromBacklog(
  record: SessionRecord,
  readOpen: () => Promise<readonly ItemRow[]>,
  { getQueueRules }: Pick<TurnParts, "getQueueRules">,
): Promise<number | undefined> | undefined {
  const { deliveryContext = "" } = record.entry;
  if (!isAddress(deliveryContext)) return undefined;
  if (getQueueRules(record, deliveryContext).mode !== "steer-backlog") return undefined;
  return readOpen().then((open) => {
    const [first, ...others] = sortBacklog(listClaimable(open));
    return others.length === 0 ? undefined : first?.seq;
  });
}
