/** What a message answers or forwards: data beside the sender's own words. */
import type { Quote } from "@banyan/plugin-sdk";
import type { DiscordMessage, MessageContent } from "./discord-message.ts";
import { isForward } from "./mention.ts";
import { describeContent } from "./message-content.ts";
import { formatReadableText } from "./readable-text.ts";

export function readQuote(message: DiscordMessage): Quote | undefined {
  if (isForward(message)) return readForward(message);
  const { referenced_message: answered, message_reference: reference } = message;
  if (answered === undefined) {
    // It is deleted, or Discord did not look.
    return reference?.message_id === undefined ? undefined : { messageId: reference.message_id };
  }
  const text = describeMessage(answered);
  return {
    messageId: answered.id,
    ...(answered.author !== undefined && { senderId: answered.author.id }),
    ...(text !== undefined && { text }),
  };
}

/** The words of somebody else. Discord does not tell of whom. */
function readForward(message: DiscordMessage): Quote {
  const { message_snapshots: snapshots, message_reference: reference } = message;
  const told = snapshots.map((snapshot) => describeMessage(snapshot.message) ?? "(nothing)");
  return {
    ...(reference?.message_id !== undefined && { messageId: reference.message_id }),
    text: `Written elsewhere:\n${told.join("\n") || "(not shown to bots)"}`,
  };
}

function describeMessage(content: MessageContent): string | undefined {
  const lines = [
    ...content.attachments.map(({ filename }) => `(${filename ?? "a file"})`),
    ...(content.content ? [formatReadableText(content.content, content)] : []),
    // A link brings a card of its page; the words are enough then.
    ...(content.content ? [] : [describeContent(content) ?? []].flat()),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}
