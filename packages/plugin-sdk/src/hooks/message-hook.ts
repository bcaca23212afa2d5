import type { Address } from "../channel/address.ts";
import type { InboundMessage } from "../channel/inbound-message.ts";
import type { DeliveryKind } from "../channel/outbound-message.ts";

export interface MessageReceived {
  readonly sessionKey: string;
  readonly kind: "message" | "command";
  /** Of a message that a command carries (`/new hello`), which is received after the command: with its own text, `hello`. */
  readonly message: InboundMessage;
}

export interface MessageSending {
  readonly sessionKey: string;
  readonly address: Address;
  readonly kind: DeliveryKind;
  /** The whole text, before it is split. */
  readonly text: string;
}

/** `text` replaces the message; `cancel` keeps it from being sent (never a completion), with the reason for the log. */
export type SendingAnswer = { readonly text: string } | { readonly cancel: string };
