import type { ChatMessage } from "../chats/message.ts";

const LINE_LIMIT_CHARS = 300;

/** A chat in lines, each with the message's number, author, text and fate. */
export function formatTranscript(userName: string, messages: readonly ChatMessage[]): string {
  if (messages.length === 0) return "  (nothing)";
  return messages.map((message) => formatLine(userName, message)).join("\n");
}

function formatLine(userName: string, message: ChatMessage): string {
  const { messageId, author, versions, isDeleted, sender, content } = message;
  const name = sender?.sender_chat?.title ?? sender?.from?.first_name ?? (author === "user" ? userName : "bot");
  const text = [...Object.keys(content ?? {}).map((kind) => `[${kind}]`), message.text].join(" ").trim();
  const shown = text.length > LINE_LIMIT_CHARS ? `${text.slice(0, LINE_LIMIT_CHARS)}… (${text.length} units)` : text;
  const edits = versions.length > 1 ? ` (edited ${versions.length - 1} times)` : "";
  return `  ${messageId} ${name}: ${shown.replaceAll("\n", "\n      ")}${edits}${isDeleted ? " (deleted)" : ""}`;
}
