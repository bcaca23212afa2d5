import { z } from "zod";
import { accept, refuseRequest } from "../answers/answer.ts";
import { entitySchema } from "../text/entity.ts";
import { type FormattedText, parseFormattedText } from "../text/formatted-text.ts";
import { resolveChat } from "./chat-access.ts";
import type { Method } from "./method.ts";

const entitiesSchema = z.array(entitySchema);
const NO_WORDS: FormattedText = { ok: true, text: "", entities: [] };

/** A preview in a private chat. Without text the app shows that the bot thinks. */
export const sendMessageDraft: Method = (call) => {
  const { read, platform } = call;
  const chatId = read.chatId("chat_id");
  const threadId = read.integer("message_thread_id");
  const draftId = read.integer("draft_id") ?? 0;
  const text = read.text("text") ?? "";
  const parseMode = read.text("parse_mode");
  const entities = read.json("entities", entitiesSchema, "MessageEntity");
  const canStop = read.flag("can_stop");
  const keepsOnStop = read.flag("keep_on_stop");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  if (draftId === 0) return refuseRequest("draft identifier must be non-zero");
  const formatted = text === "" ? NO_WORDS : parseFormattedText({ text, parseMode, entities });
  if (!formatted.ok) return formatted;
  const chat = resolveChat(call, chatId);
  if ("ok" in chat) return chat;
  // Seen where a bot streams into a group.
  if (chat.kind !== "private") return refuseRequest("TEXTDRAFT_PEER_INVALID");
  chat.drafts.show({
    draftId,
    ...(threadId !== undefined && { threadId }),
    text: formatted.text,
    entities: formatted.entities,
    canStop,
    keepsOnStop,
    atMs: platform.clock.nowMs(),
  });
  return accept(true);
};
