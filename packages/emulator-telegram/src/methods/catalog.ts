import { getMyCommands, setMyCommands } from "./bot-command.ts";
import { deleteMessage } from "./delete-message.ts";
import { editMessageText } from "./edit-message-text.ts";
import { getChat } from "./get-chat.ts";
import { getMe } from "./get-me.ts";
import { getUpdates } from "./get-updates.ts";
import type { Method } from "./method.ts";
import { sendChatAction } from "./send-chat-action.ts";
import { sendMessage } from "./send-message.ts";
import { deleteWebhook, getWebhookInfo } from "./webhook.ts";

export interface NamedMethod {
  readonly name: string;
  readonly run: Method;
}

const METHODS: Readonly<Record<string, Method>> = {
  deleteMessage,
  deleteWebhook,
  editMessageText,
  getChat,
  getMe,
  getMyCommands,
  getUpdates,
  getWebhookInfo,
  sendChatAction,
  sendMessage,
  setMyCommands,
};

const BY_LOWER_CASE: ReadonlyMap<string, NamedMethod> = new Map(
  Object.entries(METHODS).map(([name, run]) => [name.toLowerCase(), { name, run }]),
);

/** Method names are compared without regard to case, as on the server. */
export function findMethod(name: string): NamedMethod | undefined {
  return BY_LOWER_CASE.get(name.toLowerCase());
}
