/** A message as the API gives it. */
export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly kind: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The part of the API's answer that is a message, or `undefined`. */
export function parseChatMessage(value: unknown): ChatMessage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("id" in value && "role" in value && "text" in value && "at" in value)) return undefined;
  const { id, role, text, at } = value;
  const kind = "kind" in value && typeof value.kind === "string" ? value.kind : "message";
  if (typeof id !== "string" || typeof text !== "string" || typeof at !== "number") return undefined;
  return role === "user" || role === "assistant" ? { id, role, kind, text, at } : undefined;
}
