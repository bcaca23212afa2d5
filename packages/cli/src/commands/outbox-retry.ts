import type { DeliveryState } from "@banyan/plugin-sdk/store";
import { loadGatewayConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../program.ts";
import { iterateDeliveries } from "../state/list-deliveries.ts";
import { operateOutbox } from "../state/operate-outbox.ts";
import { readState } from "../state/read-state.ts";
import { countOf } from "../terminal/count-of.ts";
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
  const { config } = await loadGatewayConfig({ configFile: options.config, cwd: process.cwd(), env: process.env });
  if (given !== undefined) {
    const { id } = await operateOutbox(config, (outbox) => outbox.retry(given));
    return writeLines([`  ${id} is due now`]);
  }
  const states = state === undefined ? WAITING_STATES : [state];
  const ids =
    (await readState(config, async (read) => {
      const rows = await Array.fromAsync(iterateDeliveries(read, { states }));
      return rows.map(({ id }) => id);
    })) ?? [];
  const failed: string[] = [];
  if (ids.length > 0) {
    await operateOutbox(config, async (outbox) => {
      // One that was sent meanwhile must not keep the others back.
      for (const id of ids) await outbox.retry(id).catch((error: Error) => failed.push(error.message));
    });
  }
  await writeLines([`  ${countOf(ids.length - failed.length, "delivery", "deliveries")} due now`, ...failed.map((why) => `  ${why}`)]);
}
