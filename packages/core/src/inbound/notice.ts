import type { NewDelivery } from "@banyan/store";
import { type Composition, composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { RunParts } from "../runs/run-parts.ts";

export interface NoticeParts extends Pick<RunParts, "getChannel"> {
  readonly ports: Pick<RunParts["ports"], "createId">;
}

/** What the host itself writes to a chat. `quiet`: at most one notice with the key in this time. */
export type Notice = Pick<Composition, "address" | "text" | "sessionKey" | "quiet">;

/** Builds the deliveries of a notice, split for the channel of its address. */
export function composeNotice(notice: Notice, { ports, getChannel }: NoticeParts): readonly NewDelivery[] {
  const { text: limit, policy } = getChannel(notice.address);
  return composeDeliveries({ deliveryId: ports.createId(), kind: "notice", limit, policy, ...notice });
}
