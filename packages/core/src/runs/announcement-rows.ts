import type { DeliveryBody } from "@banyan/plugin-sdk/store";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { ComposeAnnouncement } from "./compose-run-end.ts";
import type { RunParts } from "./run-parts.ts";

/** How the rows of completion messages are made: split for their channel, each part knowing what it tells of. */
export function buildAnnouncementComposer({
  ports,
  getChannel,
}: Pick<RunParts, "ports" | "getChannel">): ComposeAnnouncement {
  return ({ address, text, completions, sessionKey, undeliverable }) => {
    const channel = getChannel(address);
    const newest = completions.at(-1);
    const rows = composeDeliveries({
      deliveryId: ports.createId(),
      kind: "completion",
      address,
      text: ports.scrub(text),
      limit: channel.text,
      policy: channel.policy,
      sessionKey,
    });
    if (newest === undefined) return rows;
    const { runId, childSessionKey } = newest;
    const alsoRunIds = completions.slice(0, -1).map((completion) => completion.runId);
    return rows.map((row) => {
      const body: DeliveryBody = JSON.parse(row.body);
      const announcement = { runId, childSessionKey, completion: newest, alsoRunIds };
      return {
        ...row,
        runId,
        ...(undeliverable === undefined ? {} : { undeliverable }),
        body: JSON.stringify({ ...body, announcement }),
      };
    });
  };
}
