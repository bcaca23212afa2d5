import type { ChannelConnection, ChannelPlugin } from "@banyan/plugin-sdk";
import { type DeliverySetting, resolveDelivery } from "../config/shapes/delivery-setting.ts";
import type { Audience, TurnChannel } from "./turn-parts.ts";

/** What is sent to a channel that is gone stays in the store, in parts that any channel could hold. */
const NO_CHANNEL: TurnChannel = {
  text: { limit: 4_000, measure: (text) => text.length },
  policy: "at-least-once",
  completionPolicy: "at-least-once",
  audience: "anybody",
};

/** How what is sent on a channel is split, promised and, while it is connected, shown. */
export function buildTurnChannel(
  plugin: Pick<ChannelPlugin, "capabilities"> | undefined,
  {
    connection,
    delivery: setting,
    audience = "anybody",
  }: {
    readonly connection?: ChannelConnection;
    readonly delivery?: DeliverySetting;
    readonly audience?: Audience;
  } = {},
): TurnChannel {
  if (plugin === undefined) return NO_CHANNEL;
  const { text, files, buttons = false } = plugin.capabilities;
  return {
    text,
    audience,
    ...resolveDelivery(plugin.capabilities, setting),
    ...(files === undefined ? {} : { files }),
    buttons,
    ...(connection === undefined ? {} : { connection }),
  };
}
