import { z } from "zod";
import { type Refusal, refuseRequest } from "../answers/answer.ts";
import type { Chat } from "../chats/chat.ts";
import { type ChatMessage, toSeconds, type WireFields } from "../chats/message.ts";
import { type Entity, entitySchema } from "../text/entity.ts";
import { type Place, resolveChat } from "./chat-access.ts";
import type { Call } from "./method.ts";

/** The Bot API's ReplyParameters. */
export interface Reply {
  readonly message_id: number;
  readonly chat_id?: number | string;
  readonly allow_sending_without_reply?: boolean;
  readonly quote?: string;
  readonly quote_parse_mode?: string;
  readonly quote_entities?: readonly Entity[];
  readonly quote_position?: number;
  readonly checklist_task_id?: number;
  readonly poll_option_id?: string;
}

export const replySchema: z.ZodType<Reply> = z.strictObject({
  message_id: z.int(),
  chat_id: z.union([z.int(), z.string()]).exactOptional(),
  allow_sending_without_reply: z.boolean().exactOptional(),
  quote: z.string().exactOptional(),
  quote_parse_mode: z.string().exactOptional(),
  quote_entities: z.array(entitySchema).exactOptional(),
  quote_position: z.int().exactOptional(),
  checklist_task_id: z.int().exactOptional(),
  poll_option_id: z.string().exactOptional(),
});

/** What a reply adds to the message; empty where its target is gone and the bot wants it sent all the same. */
export interface ReplyPart {
  readonly replyTo?: number;
  readonly extra?: WireFields;
}

export function resolveReply(call: Call, place: Place, reply: Reply): ReplyPart | Refusal {
  const source = reply.chat_id === undefined ? place : resolveChat(call, reply.chat_id, "read");
  if ("ok" in source) return source;
  const target = source.find(reply.message_id);
  if (target === undefined) {
    return reply.allow_sending_without_reply === true ? {} : refuseRequest("message to be replied not found");
  }
  const quote = reply.quote === undefined ? undefined : buildQuote(target.text, reply.quote);
  if (reply.quote !== undefined && quote === undefined) return refuseRequest("QUOTE_TEXT_INVALID");
  const extra = { ...(quote !== undefined && { quote }) };
  if (source === place) return { replyTo: reply.message_id, extra };
  return { extra: { ...extra, external_reply: buildExternalReply(source, target) } };
}

/** Undefined where the words are not in the text. */
export function buildQuote(text: string, words: string): WireFields | undefined {
  const position = text.indexOf(words);
  return position === -1 ? undefined : { text: words, position, is_manual: true };
}

/** Only messages of supergroups and channels can be named from elsewhere; of others it is told who wrote. */
function buildExternalReply(source: Place, target: ChatMessage): WireFields {
  const date = toSeconds(target.versions[0]?.atMs ?? 0);
  const { from, sender_chat: chat } = target.sender ?? { from: findAuthor(source, target) };
  const isNamed = source.kind === "supergroup" || source.kind === "channel";
  const named = isNamed && { chat: source.profile, message_id: target.messageId };
  if (source.kind === "channel") {
    return { origin: { type: "channel", date, chat: source.profile, message_id: target.messageId }, ...named };
  }
  if (chat !== undefined) return { origin: { type: "chat", date, sender_chat: chat }, ...named };
  return { origin: { type: "user", date, sender_user: from }, ...named };
}

function findAuthor(source: Place, target: ChatMessage): Chat["bot"]["profile"] | undefined {
  if (source.kind !== "private") return undefined;
  return target.author === "bot" ? source.bot.profile : source.person.profile;
}
