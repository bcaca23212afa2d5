import type { Address, InboundMessage } from "@banyan/plugin-sdk";
import type { NewDelivery } from "@banyan/store";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { TurnChannel } from "../turns/turn-parts.ts";

export interface NoticeParts {
  getChannel(address: Address): TurnChannel;
  readonly createId: () => string;
}

interface Notice {
  readonly text: string;
  /** With this key at most one in the time. */
  readonly quiet?: NonNullable<NewDelivery["quiet"]>;
  readonly sessionKey?: string;
}

/** What the host itself says to whoever sent a message. */
export function composeNotice(
  { address }: Pick<InboundMessage, "address">,
  notice: Notice,
  { getChannel, createId }: NoticeParts,
): readonly NewDelivery[] {
  const { text: limit, policy } = getChannel(address);
  return composeDeliveries({ deliveryId: createId(), kind: "notice", address, limit, policy, ...notice });
}

/** For a notice that is written in another one's place and so must be one part. */
export function composeOneNotice(
  message: Pick<InboundMessage, "address">,
  notice: Notice,
  parts: NoticeParts,
): NewDelivery {
  const [first] = composeNotice(message, notice, parts);
  if (first === undefined) throw new Error("A notice was composed: it has no part");
  return first;
}
