import type { DeliveredRequest } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/plugin-sdk/store";

/** A page of any platform's history is smaller. */
const MOST_IDS = 1_000;

/** Which of a platform's ids belong to deliveries at an address. Throws a `RangeError` for more ids than a page has. */
export async function findDelivered(
  { receipts }: Pick<StoreReads, "receipts">,
  { address, platformIds }: DeliveredRequest,
): Promise<ReadonlySet<string>> {
  if (platformIds.length > MOST_IDS)
    throw new RangeError(
      `Receipts were requested: at most ${MOST_IDS} ids at a time, received ${platformIds.length}; ask page by page`,
    );
  return new Set(await receipts({ address, platformIds }));
}
