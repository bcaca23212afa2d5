import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { operateOutbox } from "../state/operate-outbox.ts";
import { cutEllipsis } from "../terminal/plain-text.ts";
import { writeLines } from "../terminal/write-out.ts";

/** `banyan outbox drop`: a delivery that nobody wants any more is settled as undeliverable. */
export async function outboxDrop(given: string, options: GlobalOptions): Promise<void> {
  const { config } = await loadStateConfig(options.config);
  const { id } = await operateOutbox(config, (outbox) => outbox.drop(cutEllipsis(given)));
  await writeLines([`  ${id} is dropped; banyan outbox retry ${id} takes it up again`]);
}
