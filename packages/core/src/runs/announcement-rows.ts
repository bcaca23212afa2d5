import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { ComposeAnnouncement } from "./compose-run-end.ts";
import type { RunParts } from "./run-parts.ts";

/** How the rows of completion messages are made: split for their channel, and knowing what they tell of. */
export function buildAnnouncementComposer({
  ports,
  getChannel,
}: Pick<RunParts, "ports" | "getChannel">): ComposeAnnouncement {
  return ({ address, text, completions, sessionKey, turnId, undeliverable }) => {
    const channel = getChannel(address);
    const newest = completions.at(-1);
    if (newest === undefined) throw new Error("A completion message was composed: it tells of no run");
    const { runId, childSessionKey } = newest;
    const alsoRunIds = completions.slice(0, -1).map((completion) => completion.runId);
    const rows = composeDeliveries({
      deliveryId: ports.createId(),
      kind: "completion",
      address,
      text: ports.scrub(text),
      limit: channel.text,
      policy: channel.policy,
      sessionKey,
      ...(turnId === undefined ? {} : { turnId }),
      announcement: { runId, childSessionKey, completion: newest, alsoRunIds },
    });
    return undeliverable === undefined ? rows : rows.map((row) => ({ ...row, undeliverable }));
  };
}
