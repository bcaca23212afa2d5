import { MessageType } from "discord-api-types/v10";
import { type ChatMessage, isWritten } from "../world/message-log.ts";

const LINE_LIMIT_CHARS = 300;

/** A chat in lines, each with the message's id, author, text and fate. */
export function formatTranscript(messages: readonly ChatMessage[]): string {
  if (messages.length === 0) return "  (nothing)";
  return messages.map(formatLine).join("\n");
}

function formatLine({ messageId, text, message, versions, isDeleted }: ChatMessage): string {
  const { author, type, attachments } = message;
  const marks = [
    ...(isWritten(message) ? [] : [`[${MessageType[type]}]`]),
    ...attachments.map(({ filename }) => `[${filename}]`),
  ];
  const said = [...marks, text].join(" ").trim();
  const shown = said.length > LINE_LIMIT_CHARS ? `${said.slice(0, LINE_LIMIT_CHARS)}… (${said.length} units)` : said;
  const edits = versions.length > 1 ? ` (edited ${versions.length - 1} times)` : "";
  return `  ${messageId} ${author.username}: ${shown.replaceAll("\n", "\n      ")}${edits}${isDeleted ? " (deleted)" : ""}`;
}
