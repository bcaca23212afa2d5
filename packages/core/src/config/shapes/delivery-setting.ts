import type { ChannelCapabilities, DeliveryPolicy } from "@banyan/plugin-sdk";

export const DELIVERY_SETTINGS = ["anchor", "at-least-once", "at-most-once"] as const;
/**
 * What becomes of a message whose sending was cut off, on a channel that knows no repeat. `anchor`: what tells of a sub-agent's
 * end is edited into a message that stands there, and so is there once; other messages are sent again, with a mark.
 */
export type DeliverySetting = (typeof DELIVERY_SETTINGS)[number];

export interface DeliveryPolicies {
  readonly policy: DeliveryPolicy;
  /** Of what tells of a sub-agent's end. */
  readonly completionPolicy: DeliveryPolicy;
}

type Capable = Pick<ChannelCapabilities, "delivery" | "edits">;

/** How an account's messages go out. Without a setting, what tells of a sub-agent's end has an anchor wherever it can. */
export function resolveDelivery({ delivery, edits }: Capable, setting?: DeliverySetting): DeliveryPolicies {
  if (delivery === "effectively-once") return { policy: delivery, completionPolicy: delivery };
  if (setting === undefined || setting === "anchor") {
    return { policy: delivery, completionPolicy: edits ? "anchor" : delivery };
  }
  return { policy: setting, completionPolicy: setting };
}

/** Why a channel cannot keep the setting, as a sentence's end; `undefined` where it can. */
export function findDeliveryProblem({ delivery, edits }: Capable, setting?: DeliverySetting): string | undefined {
  if (setting === undefined) return undefined;
  if (delivery === "effectively-once") return "the channel knows each repeat, so there is nothing to choose; remove it";
  if (setting === "anchor" && !edits) return "the channel cannot edit messages; choose at-least-once or at-most-once";
  return undefined;
}
