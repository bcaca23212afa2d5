import type { WebhookDelivery } from "../webhooks/webhook-delivery.ts";

interface BotName {
  readonly botId?: number;
}

/** The part of Control that is about what is sent to webhooks. */
export interface WebhookControl {
  /** Every attempt so far, in the order they began. */
  readDeliveries(bot: BotName): Promise<readonly WebhookDelivery[]>;
  /** The number of attempts that have ended, when it has reached `count` or after `timeoutMs`. */
  awaitDeliveries(wait: DeliveryWait): Promise<number>;
  /** `held`: nothing is sent by itself any more; `flowing`: all that waits is. */
  steerWebhook(steering: WebhookSteering): Promise<void>;
  /** Sends one update now: before its turn, or once more. Resolves when it was answered. */
  deliverUpdate(order: DeliveryOrder): Promise<WebhookDelivery>;
  /** Posts to the webhook as somebody else would. */
  forgeUpdate(forgery: Forgery): Promise<WebhookDelivery>;
}

export interface DeliveryWait extends BotName {
  readonly count: number;
  readonly timeoutMs: number;
}

export interface WebhookSteering extends BotName {
  readonly flow: "flowing" | "held";
}

export interface DeliveryOrder extends BotName {
  readonly updateId: number;
}

export interface Forgery extends BotName {
  readonly body: string;
  /** Without one there is no header. */
  readonly secretToken?: string;
}
