import { type ChatMessage, parseChatMessage } from "./chat-message.ts";

/** What the event stream tells. */
export type ChatEvent =
  | { readonly type: "message"; readonly message: ChatMessage }
  | { readonly type: "progress"; readonly turnId: string; readonly text: string }
  | { readonly type: "progress_end"; readonly turnId: string };

/** One event of the wire; `undefined` for what this page does not know. */
export function parseChatEvent(type: string, data: string): ChatEvent | undefined {
  const value: unknown = JSON.parse(data);
  if (typeof value !== "object" || value === null) return undefined;
  if (type === "message") {
    const message = parseChatMessage(value);
    return message === undefined ? undefined : { type, message };
  }
  if (!("turnId" in value) || typeof value.turnId !== "string") return undefined;
  const { turnId } = value;
  if (type === "progress_end") return { type, turnId };
  return type === "progress" && "text" in value && typeof value.text === "string"
    ? { type, turnId, text: value.text }
    : undefined;
}
