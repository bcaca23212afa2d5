/** A way to write into a channel under any name, by a secret address. */
export interface Webhook {
  readonly id: string;
  readonly token: string;
  readonly channelId: string;
  readonly guildId: string;
  /** The bot that made it. */
  readonly applicationId: string;
  name: string;
}

/** All webhooks, by id. */
export class WebhookBook {
  readonly #byId = new Map<string, Webhook>();

  add(webhook: Webhook): void {
    this.#byId.set(webhook.id, webhook);
  }

  find(id: string): Webhook | undefined {
    return this.#byId.get(id);
  }

  remove(id: string): void {
    this.#byId.delete(id);
  }

  listIn(channelId: string): Webhook[] {
    return [...this.#byId.values()].filter((webhook) => webhook.channelId === channelId);
  }
}
