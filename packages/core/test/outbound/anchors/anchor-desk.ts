import { ChannelError } from "@banyan/plugin-sdk";
import type { DeliveryRow, NewDelivery } from "@banyan/store";
import { quiet } from "../../manual-clock.ts";
import { buildRow, OutboxDesk } from "../outbox-desk.ts";

/** A chat on a platform whose messages can be edited: what stands in it, by the platform's id. */
export class AnchorDesk {
  readonly outbox: OutboxDesk;
  readonly messages: Map<string, string>;
  /** What is in the way of the next edit. */
  trouble: ChannelError | undefined;
  #sent: number;

  /** `earlier`: the life before, whose store and chat it has. */
  constructor(earlier?: AnchorDesk) {
    this.outbox = new OutboxDesk(earlier === undefined ? {} : { store: earlier.outbox.store });
    this.messages = earlier?.messages ?? new Map();
    this.#sent = this.messages.size;
    this.outbox.answer = async ({ text }) => {
      this.#sent += 1;
      const platformId = `p${this.#sent}`;
      this.messages.set(platformId, text);
      return { platformId };
    };
    this.outbox.edits = {
      edit: async ({ platformId, text }) => {
        const { trouble } = this;
        this.trouble = undefined;
        if (trouble !== undefined) throw trouble;
        if (!this.messages.has(platformId))
          throw new ChannelError("message_gone", "A message was edited: it is gone; send another one");
        this.messages.set(platformId, text);
      },
    };
  }

  get texts(): readonly string[] {
    return [...this.messages.values()];
  }

  async posts(...rows: readonly NewDelivery[]): Promise<void> {
    await this.outbox.post(...rows);
  }

  /** The status is to say something else. */
  async amends(id: string, text: string): Promise<string> {
    const row: DeliveryRow = await this.outbox.row(id);
    const ending = this.outbox.outbox.amend(row, { text });
    await quiet();
    return (await ending).kind;
  }
}

export const status: NewDelivery = { ...buildRow("status", { text: "🌱 at work" }), kind: "status" };

/** Tells of an end, in the place of the status. */
export function tell(deliveryId: string, text: string): NewDelivery {
  const row = buildRow(deliveryId, { policy: "anchor", text });
  return { ...row, claims: status.id, body: JSON.stringify({ text, placeholder: `place of ${deliveryId}` }) };
}
