import { PATIENCE_MS } from "@banyan/emulator-kit";
import type { WebhookControl } from "./control/webhook-control.ts";
import { EmulatorError } from "./ports/error.ts";
import type { WebhookDelivery } from "./webhooks/webhook-delivery.ts";

/** The webhook of a bot, as a test sees and steers it. */
export class TelegramWebhook {
  readonly #control: WebhookControl;
  readonly #bot: { readonly botId?: number };

  /** By TelegramEmulator.webhook(). */
  constructor(control: WebhookControl, botId: number | undefined) {
    this.#control = control;
    this.#bot = botId === undefined ? {} : { botId };
  }

  /** Every attempt so far, forged ones too, in the order they began. */
  deliveries(): Promise<readonly WebhookDelivery[]> {
    return this.#control.readDeliveries(this.#bot);
  }

  /** Resolves with all attempts when `count` of them have ended. */
  async settled(count: number, timeoutMs: number = PATIENCE_MS): Promise<readonly WebhookDelivery[]> {
    const ended = await this.#control.awaitDeliveries({ ...this.#bot, count, timeoutMs });
    if (ended >= count) return this.deliveries();
    throw new EmulatorError("not_delivered", `waiting ${timeoutMs} ms for ${count} deliveries: ${ended} have ended`);
  }

  /** Nothing is sent by itself any more; what is under way goes on. */
  holds(): Promise<void> {
    return this.#control.steerWebhook({ ...this.#bot, flow: "held" });
  }

  /** All that waits is sent, and what comes. */
  flows(): Promise<void> {
    return this.#control.steerWebhook({ ...this.#bot, flow: "flowing" });
  }

  /** Sends an update now: before its turn, or once more though it was taken. Resolves when it was answered. */
  delivers(updateId: number): Promise<WebhookDelivery> {
    return this.#control.deliverUpdate({ ...this.#bot, updateId });
  }

  /** Somebody else posts to the address; an update is written as JSON. */
  forges(body: string | object, secretToken?: string): Promise<WebhookDelivery> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return this.#control.forgeUpdate({ ...this.#bot, body: text, ...(secretToken !== undefined && { secretToken }) });
  }
}
