import type { OutboundMessage } from "@banyan/plugin-sdk";
import type { DeliveryBody } from "@banyan/store";
import type { Ground } from "../world/ground.ts";
import type { Defect } from "./defect.ts";

const PLACEHOLDER = "|anchor";

/** What holds the place of a result is the result already, so that a repeat of it stands there twice. */
export const toldEarly: Defect = {
  name: "told-early",
  breaks: ["anchors", "I10"],
  needsMagpies: true,
  wrapPlugin: (plugin, ground) => ({
    ...plugin,
    connect: async (context) => {
      const connection = await plugin.connect(context);
      return { ...connection, send: (message) => connection.send(tellAtOnce(message, ground)) };
    },
  }),
};

function tellAtOnce(message: OutboundMessage, { data }: Ground): OutboundMessage {
  const { deliveryId, part } = message;
  const row = data.deliveries.get(`${deliveryId.replace(PLACEHOLDER, "")}.${part}`)?.row;
  if (!deliveryId.endsWith(PLACEHOLDER) || row === undefined) return message;
  const { text }: DeliveryBody = JSON.parse(row.body);
  return { ...message, text };
}
