import { BanyanError, type Config } from "@banyan/core";
import type { DeliveryState } from "@banyan/store";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { iterateDeliveries } from "../state/list-deliveries.ts";
import { operateOutbox } from "../state/operate-outbox.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
import { cutEllipsis } from "../terminal/plain-text.ts";
import { writeLines } from "../terminal/write-out.ts";
import { UsageError } from "../usage-error.ts";

/** What `--all` means without a state: the rows that wait for a later time. What failed for good is named by its state. */
const WAITING_STATES: readonly DeliveryState[] = ["pending", "stuck"];

export interface OutboxRetryOptions extends GlobalOptions {
  readonly all?: boolean;
  readonly state?: DeliveryState;
}

/** `banyan outbox retry`: makes deliveries due at once. */
export async function outboxRetry(given: string | undefined, options: OutboxRetryOptions): Promise<void> {
  const { all = false, state } = options;
  if ((given === undefined) !== all) {
    throw new UsageError("retrying deliveries: name one by its id, or all that wait with --all, not both");
  }
  if (state !== undefined && !all) throw new UsageError("retrying deliveries: --state goes with --all");
  const { config } = await loadStateConfig(options.config);
  if (given !== undefined) {
    const { id } = await operateOutbox(config, (outbox) => outbox.retry(cutEllipsis(given)));
    return writeLines([`  ${id} is due now`]);
  }
  const states = state === undefined ? WAITING_STATES : [state];
  const ids: string[] = [];
  await readState(config, async (read) => {
    for await (const { id } of iterateDeliveries(read, { states })) ids.push(id);
  });
  await retryAll(config, ids);
  await writeLines([`  ${countOf(ids.length, "delivery is", "deliveries are")} due now`]);
}

/** One that was sent meanwhile does not keep the others back; it is told at the end. */
async function retryAll(config: Config, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const failures: unknown[] = [];
  await operateOutbox(config, async (outbox) => {
    for (const id of ids) await outbox.retry(id).catch((error: unknown) => failures.push(error));
  });
  if (failures.length === 0) return;
  const [first] = failures;
  throw new BanyanError(
    "delivery_unchanged",
    `retrying deliveries: ${failures.length} of ${ids.length} were left as they are; the first: ${first instanceof Error ? first.message : first}`,
    { cause: first },
  );
}
