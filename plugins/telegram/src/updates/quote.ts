/** What a message answers, quotes or forwards: data beside the sender's own words. */
import { parseAddress, type Quote } from "@banyan/plugin-sdk";
import type { ExternalReplyInfo, Message, MessageOrigin } from "grammy/types";
import { formatChainAddress } from "../chat-place.ts";
import type { BotIdentity } from "./bot-identity.ts";
import { formatMessageAddress } from "./chat-address.ts";
import { readMarkedText } from "./mention.ts";
import { describeContent, hasContent, readAttachments } from "./message-content.ts";
import { formatChatName, formatUserName, readSender } from "./message-sender.ts";

/** What a message answers. The part that its sender picked goes before the whole of it. */
export function readQuote(message: Message, me: BotIdentity): Quote | undefined {
  const { reply_to_message: answered, external_reply: external, quote } = message;
  if (answered !== undefined && hasContent(answered)) {
    const words = buildQuote({
      messageId: String(answered.message_id),
      senderId: readSender(answered).id,
      text: quote?.text ?? describeMessage(answered),
    });
    const place = parseAddress(formatMessageAddress(me.account, message));
    return answered.from?.id === me.id ? { ...words, chain: formatChainAddress(place, answered.message_id) } : words;
  }
  return external === undefined ? undefined : readExternalQuote(external, quote?.text);
}

/** What a message forwards: the words of somebody else. */
export function readForward(message: Message, origin: MessageOrigin): Quote {
  const { senderId, name } = readOrigin(origin);
  const messageId = origin.type === "channel" ? String(origin.message_id) : undefined;
  return buildQuote({ messageId, senderId, text: `${name} wrote:\n${describeMessage(message) ?? "(nothing)"}` });
}

/** A message of another chat; Telegram gives its text only where a part of it is quoted. */
function readExternalQuote(external: ExternalReplyInfo, quoted: string | undefined): Quote {
  const { senderId, name } = readOrigin(external.origin);
  const messageId = external.message_id === undefined ? undefined : String(external.message_id);
  return buildQuote({
    messageId,
    senderId,
    text: `${name} wrote in another chat:\n${quoted ?? "(not shown to bots)"}`,
  });
}

function readOrigin(origin: MessageOrigin): { readonly senderId: string | undefined; readonly name: string } {
  switch (origin.type) {
    case "user":
      return { senderId: String(origin.sender_user.id), name: formatUserName(origin.sender_user) };
    case "chat":
      return { senderId: String(origin.sender_chat.id), name: formatChatName(origin.sender_chat) };
    case "channel":
      return { senderId: String(origin.chat.id), name: formatChatName(origin.chat) };
    case "hidden_user":
      return { senderId: undefined, name: origin.sender_user_name };
  }
}

function describeMessage(message: Message): string | undefined {
  const [file] = readAttachments(message) ?? [];
  const words = readMarkedText(message)?.text ?? describeContent(message);
  if (file === undefined) return words;
  return words === undefined ? `(${file.name})` : `(${file.name})\n${words}`;
}

function buildQuote(parts: Readonly<Record<Exclude<keyof Quote, "chain">, string | undefined>>): Quote {
  const { messageId, senderId, text } = parts;
  return {
    ...(messageId !== undefined && { messageId }),
    ...(senderId !== undefined && { senderId }),
    ...(text !== undefined && { text }),
  };
}
