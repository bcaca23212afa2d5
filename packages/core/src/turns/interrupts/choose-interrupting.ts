import { isAddress } from "@banyan/plugin-sdk";
import type { ItemRow } from "@banyan/store";
import { listClaimable } from "../../lanes/backlog.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";
import type { TurnParts } from "../turn-parts.ts";

/**
 * The message that goes first where a newer message takes the place of what runs: behind a turn that was cut off before all
 * that has waited longer, else before results, whose turn it would cut off as soon as that had begun. They come behind it, in
 * their order. `undefined`: the first item goes first.
 */
export function chooseInterrupting(
  record: SessionRecord,
  readOpen: () => Promise<readonly ItemRow[]>,
  { getQueueRules }: Pick<TurnParts, "getQueueRules">,
): Promise<number | undefined> | undefined {
  const { interruption, deliveryContext = "" } = record.entry;
  const isBehindCut = interruption !== undefined;
  const interrupts = () => isAddress(deliveryContext) && getQueueRules(record, deliveryContext).mode === "interrupt";
  return isBehindCut || interrupts() ? readOpen().then((open) => decideInterrupting(open, isBehindCut)) : undefined;
}

/** Pure: of a lane's open items. */
export function decideInterrupting(open: readonly ItemRow[], isBehindCut: boolean): number | undefined {
  const asking = listClaimable(open);
  // What is only written down asks nobody and takes no time: the message's turn knows of it.
  if (asking[0]?.wake === "append") return undefined;
  const next = asking.find((item) => item.kind === "message" || !(isBehindCut || isOwnResult(item)));
  return next?.kind === "message" ? next.seq : undefined;
}

/** What a turn for somebody else waits for is not put off: such a turn is never cut off. */
function isOwnResult({ kind, runId }: ItemRow): boolean {
  return kind === "completion" && runId === undefined;
}
