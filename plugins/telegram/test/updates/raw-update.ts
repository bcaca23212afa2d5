import type { ChatMember, Message } from "grammy/types";

/** A message as it comes over the wire: nothing is known of it but that it is JSON. */
export function buildRawMessage(raw: object): Message {
  return JSON.parse(JSON.stringify(raw));
}

export function buildRawMember(raw: object): ChatMember {
  return JSON.parse(JSON.stringify(raw));
}
