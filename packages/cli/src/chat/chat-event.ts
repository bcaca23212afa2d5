/** A message of the conversation, as the web chat's API gives it. */
export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly kind: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type ChatEvent =
  | { readonly type: "message"; readonly message: ChatMessage }
  /** An answer is being made; `text` is all of it so far. */
  | { readonly type: "progress"; readonly turnId: string; readonly text: string }
  | { readonly type: "progress_end"; readonly turnId: string };

/** `undefined` for an event of a later version. */
export function parseChatEvent(type: string, data: string): ChatEvent | undefined {
  const value: unknown = JSON.parse(data);
  if (type === "message") {
    const message = parseChatMessage(value);
    return message === undefined ? undefined : { type, message };
  }
  const turnId = readField(value, "turnId");
  if (turnId === undefined) return undefined;
  if (type === "progress") return { type, turnId, text: readField(value, "text") ?? "" };
  return type === "progress_end" ? { type, turnId } : undefined;
}

export function parseChatMessage(value: unknown): ChatMessage | undefined {
  const id = readField(value, "id");
  const text = readField(value, "text");
  const role = readField(value, "role");
  if (id === undefined || text === undefined || (role !== "user" && role !== "assistant")) return undefined;
  const at =
    typeof value === "object" && value !== null && "at" in value && typeof value.at === "number" ? value.at : 0;
  return { id, role, kind: readField(value, "kind") ?? "message", text, at };
}

function readField(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const field: unknown = Reflect.get(value, name);
  return typeof field === "string" ? field : undefined;
}
