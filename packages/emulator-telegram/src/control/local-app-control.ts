import type { Bot } from "../bots/bot.ts";
import type { Chat } from "../chats/chat.ts";
import { isMember } from "../chats/membership.ts";
import type { ChatMessage } from "../chats/message.ts";
import type { MessageLog } from "../chats/message-log.ts";
import { findButton } from "../parameters/reply-markup.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import type { AppControl, ButtonPress, DraftChat } from "./app-control.ts";

export function createLocalAppControl(platform: Platform): AppControl {
  return {
    readDrafts: async (name) => getChat(platform, name).drafts.standing(platform.clock.nowMs()),
    awaitDrafts: async ({ afterSeq, timeoutMs, ...name }) => {
      const { changed, drafts } = getChat(platform, name);
      await changed.until(() => drafts.lastSeq > afterSeq, timeoutMs);
      return drafts.framesAfter(afterSeq);
    },
    stopDraft: async (name) => stopDraft(platform, name),
    press: async (press) => pressButton(platform, press),
    awaitAnswer: async ({ queryId, timeoutMs }) => {
      const answer = await platform.queries.awaitAnswer(queryId, timeoutMs);
      return answer === undefined ? [] : [answer];
    },
  };
}

function getChat(platform: Platform, { botId, userId }: DraftChat): Chat {
  return platform.getChat(platform.bots.get(botId), platform.getPerson(userId));
}

/** Bot API 10.3, "MessageGenerationStopped". */
function stopDraft(platform: Platform, name: DraftChat): void {
  const chat = getChat(platform, name);
  const stopped = chat.drafts.stop(platform.clock.nowMs());
  if (stopped === undefined)
    throw new EmulatorError("unknown_message", `stopping a draft: user ${name.userId} sees none that can be stopped`);
  const { threadId, draftId } = stopped;
  platform.bots.get(name.botId).notify("stopped_message_generation", {
    chat: chat.profile,
    ...(threadId !== undefined && { message_thread_id: threadId }),
    draft_id: draftId,
  });
}

interface Pressed {
  readonly bot: Bot;
  readonly place: MessageLog;
  readonly message: ChatMessage;
}

function pressButton(platform: Platform, press: ButtonPress): string {
  const { bot, place, message } = findPressed(platform, press);
  const { label = "", data = findData(press, message) } = press;
  if (data === undefined)
    throw new EmulatorError("unknown_message", `pressing "${label}": message ${message.messageId} has no such button`);
  const id = platform.queries.open(bot.id, platform.clock.nowMs());
  const wire = place.buildWire(message);
  bot.notify("callback_query", {
    id,
    from: platform.getPerson(press.userId).profile,
    message: press.isInaccessible ? { chat: wire.chat, message_id: wire.message_id, date: 0 } : wire,
    chat_instance: String(wire.chat.id),
    data,
  });
  return id;
}

function findPressed(platform: Platform, press: ButtonPress): Pressed {
  const { chatId, userId, messageId } = press;
  const room = chatId === undefined ? undefined : platform.rooms.get(chatId);
  if (room !== undefined && !isMember(room.members.get(userId)))
    throw new EmulatorError("unknown_user", `pressing a button: user ${userId} is not in room ${chatId}`);
  const place = room ?? getChat(platform, press);
  const message = place
    .messages()
    .findLast((each) =>
      messageId === undefined ? !each.isDeleted && findData(press, each) !== undefined : each.messageId === messageId,
    );
  if (message === undefined)
    throw new EmulatorError("unknown_message", `pressing "${press.label}": there is no message with such a button`);
  return { bot: platform.bots.get(message.authorId ?? press.botId), place, message };
}

function findData({ label }: ButtonPress, { replyMarkup }: ChatMessage): string | undefined {
  return findButton(replyMarkup, label)?.callback_data;
}
