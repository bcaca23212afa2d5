/** The schemas of what comes over the control interface about webhooks, and of what goes back. */
import { z } from "zod";
import type { WebhookDelivery } from "../webhooks/webhook-delivery.ts";
import type { Operation } from "./room-request.ts";
import type { DeliveryOrder, Forgery, WebhookControl, WebhookSteering } from "./webhook-control.ts";

const botId = z.int().exactOptional();
const steering: z.ZodType<WebhookSteering> = z.strictObject({ botId, flow: z.enum(["flowing", "held"]) });
const order: z.ZodType<DeliveryOrder> = z.strictObject({ botId, updateId: z.int() });
const forgery: z.ZodType<Forgery> = z.strictObject({
  botId,
  body: z.string(),
  secretToken: z.string().exactOptional(),
});

export const webhookDelivery: z.ZodType<WebhookDelivery> = z.object({
  seq: z.int(),
  updateId: z.int().exactOptional(),
  atMs: z.number(),
  status: z.int().exactOptional(),
  error: z.string().exactOptional(),
  isSettled: z.boolean(),
});

export function buildWebhookOperations(
  control: WebhookControl,
  timeoutMs: z.ZodType<number>,
): Readonly<Record<keyof WebhookControl, Operation>> {
  const wait = z.strictObject({ botId, count: z.int().min(0), timeoutMs });
  return {
    readDeliveries: async (request) => control.readDeliveries(z.strictObject({ botId }).parse(request)),
    awaitDeliveries: async (request) => control.awaitDeliveries(wait.parse(request)),
    steerWebhook: async (request) => control.steerWebhook(steering.parse(request)),
    deliverUpdate: async (request) => control.deliverUpdate(order.parse(request)),
    forgeUpdate: async (request) => control.forgeUpdate(forgery.parse(request)),
  };
}
