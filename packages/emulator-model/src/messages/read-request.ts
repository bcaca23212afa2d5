import type { ChatMessage, ChatRequest } from "./chat-request.ts";

/** The text of a message, its parts joined. */
export function readText({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("");
}

/** What a person said last; empty where nobody has. */
export function findLastSaid({ messages }: ChatRequest): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last === undefined ? "" : readText(last);
}

/** The results that stand behind what a person said last, oldest first. */
export function listToolResults({ messages }: ChatRequest): readonly string[] {
  const since = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(since + 1).flatMap((message) => (message.role === "tool" ? [readText(message)] : []));
}
