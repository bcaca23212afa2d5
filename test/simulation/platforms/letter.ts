import {
  type Address,
  ChannelError,
  type DeliveryReceipt,
  type EditsAbility,
  type OutboundMessage,
} from "@banyan/plugin-sdk";

/** As the host tells a code for linking accounts. */
const CODE = /(?<=Your code is \*\*)[0-9A-Z-]+(?=\*\*)/;
const PLACEHOLDER = "|anchor";

/** How the process gets to know what has become of it. */
export type Answer = () => DeliveryReceipt;
export type EditRequest = Parameters<EditsAbility["edit"]>[0];

/** What a process asks of the platform. */
export interface Letter {
  readonly row: string;
  readonly address: Address;
  readonly chat: string;
  /** Of the message that it is to change. */
  readonly platformId?: string;
  /** The platform does it. */
  act(): Answer;
}

export function definite(wrong: string): ChannelError {
  return new ChannelError("definite", `A message was sent: ${wrong}`);
}

export function ambiguous(wrong: string): ChannelError {
  return new ChannelError("ambiguous", `A message was sent: ${wrong}`);
}

/** What holds a row's place is the row's. */
export function nameRow({ deliveryId, part }: OutboundMessage): string {
  return `${deliveryId.replace(PLACEHOLDER, "")}.${part}`;
}

export function isPlaceholder({ deliveryId }: OutboundMessage): boolean {
  return deliveryId.endsWith(PLACEHOLDER);
}

/** The code for linking accounts that people read in a message. */
export function findCode(text: string): string | undefined {
  return CODE.exec(text)?.[0];
}
