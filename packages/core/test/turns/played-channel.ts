import type { ChannelConnection } from "@banyan/plugin-sdk";
import { resolveDelivery } from "../../src/config/shapes/delivery-setting.ts";
import type { TurnChannel } from "../../src/turns/turn-parts.ts";

/** A channel of 1,000 characters that can neither edit nor know a repeat. */
export function buildPlayedChannel(
  connection: Pick<ChannelConnection, "typing" | "progress"> | undefined,
): TurnChannel {
  return {
    audience: "known",
    text: { limit: 1_000, measure: (text) => text.length },
    ...resolveDelivery({ delivery: "at-least-once", edits: false }),
    ...(connection === undefined ? {} : { connection }),
  };
}
