import type { NewDelivery } from "@banyan/store";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { isUnfinished, parseRunOutline } from "../runs/run-record.ts";
import { buildStatusDeliveryId, buildStatusRowId, formatStatus } from "../runs/run-status.ts";
import type { EndingTurn } from "./ending-turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** One turn spawns so many at most that are shown. */
const MOST_RUNS = 100;

/**
 * The message behind a turn's own words that shows how the children fare which it has asked for; none where they are done.
 * What they come to takes its place.
 */
export async function composeStatuses(
  { turn, end }: EndingTurn,
  { store, ports, getChannel }: TurnParts,
): Promise<readonly NewDelivery[]> {
  const { address, claim } = turn;
  // Without a call it has asked for no child.
  if ((end.figures.toolCalls ?? 0) === 0) return [];
  const { text: limit, policy, completionPolicy } = getChannel(address);
  if (completionPolicy !== "anchor") return [];
  const anchor = buildStatusRowId(claim.item.seq);
  const rows = await store.read.runs({ requesterSessionKey: claim.lane, newest: true, limit: MOST_RUNS });
  const runs = rows.filter(({ spawnSeq }) => spawnSeq === claim.item.seq).map(parseRunOutline);
  const shown = runs.filter(({ body, route }) => body.anchor === anchor && route === address);
  if (!shown.some(isUnfinished)) return [];
  return composeDeliveries({
    deliveryId: buildStatusDeliveryId(claim.item.seq),
    kind: "status",
    address,
    text: ports.scrub(formatStatus(shown)),
    limit,
    policy,
    sessionKey: claim.lane,
  }).slice(0, 1);
}
