import { close, logOut } from "./account-end.ts";
import { answerCallbackQuery } from "./answer-callback-query.ts";
import { deleteMyCommands, getMyCommands, setMyCommands } from "./bot-command.ts";
import { getChatAdministrators, getChatMember, getChatMemberCount, leaveChat } from "./chat-member.ts";
import { deleteMessage } from "./delete-message.ts";
import { editMessageCaption } from "./edit-message-caption.ts";
import { editMessageText } from "./edit-message-text.ts";
import {
  closeForumTopic,
  createForumTopic,
  deleteForumTopic,
  editForumTopic,
  reopenForumTopic,
} from "./forum-topic.ts";
import { getChat } from "./get-chat.ts";
import { getFile } from "./get-file.ts";
import { getForumTopicIconStickers } from "./get-forum-topic-icon-stickers.ts";
import { getMe } from "./get-me.ts";
import { getUpdates } from "./get-updates.ts";
import type { Method } from "./method.ts";
import { sendChatAction } from "./send-chat-action.ts";
import { sendDocument } from "./send-document.ts";
import { sendMediaGroup } from "./send-media-group.ts";
import { sendMessage } from "./send-message.ts";
import { sendMessageDraft } from "./send-message-draft.ts";
import { sendPhoto } from "./send-photo.ts";
import { deleteWebhook, getWebhookInfo, setWebhook } from "./webhook.ts";

export interface NamedMethod {
  readonly name: string;
  readonly run: Method;
}

const METHODS: Readonly<Record<string, Method>> = {
  answerCallbackQuery,
  close,
  closeForumTopic,
  createForumTopic,
  deleteForumTopic,
  deleteMessage,
  deleteMyCommands,
  deleteWebhook,
  editForumTopic,
  editMessageCaption,
  editMessageText,
  getChat,
  getChatAdministrators,
  getChatMember,
  getChatMemberCount,
  getFile,
  getForumTopicIconStickers,
  getMe,
  getMyCommands,
  getUpdates,
  getWebhookInfo,
  leaveChat,
  logOut,
  reopenForumTopic,
  sendChatAction,
  sendDocument,
  sendMediaGroup,
  sendMessage,
  sendMessageDraft,
  sendPhoto,
  setMyCommands,
  setWebhook,
};

/** As the Bot API spells them. */
export const METHOD_NAMES: readonly string[] = Object.keys(METHODS);

const BY_LOWER_CASE: ReadonlyMap<string, NamedMethod> = new Map(
  Object.entries(METHODS).map(([name, run]) => [name.toLowerCase(), { name, run }]),
);

/** Method names are compared without regard to case, as on the server. */
export function findMethod(name: string): NamedMethod | undefined {
  return BY_LOWER_CASE.get(name.toLowerCase());
}
