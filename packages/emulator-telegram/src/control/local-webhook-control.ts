import type { Platform } from "../platform.ts";
import type { WebhookControl } from "./webhook-control.ts";

export function createLocalWebhookControl({ bots }: Platform): WebhookControl {
  return {
    readDeliveries: async ({ botId }) => bots.get(botId).webhook.deliveries.map((delivery) => ({ ...delivery })),
    awaitDeliveries: async ({ botId, count, timeoutMs }) => bots.get(botId).webhook.awaitSettled(count, timeoutMs),
    steerWebhook: async ({ botId, flow }) => {
      const { webhook } = bots.get(botId);
      webhook.isHeld = flow === "held";
      webhook.wake();
    },
    deliverUpdate: async ({ botId, updateId }) => ({ ...(await bots.get(botId).webhook.deliver(updateId)) }),
    forgeUpdate: async ({ botId, body, secretToken }) => ({
      ...(await bots.get(botId).webhook.forge(body, secretToken)),
    }),
  };
}
