import type { ShiftedClock } from "@banyan/emulator-kit";
import type { Bot } from "../bots/bot.ts";
import type { Chat } from "../chats/chat.ts";
import { toSeconds } from "../chats/message.ts";
import type { FaultList } from "../faults/fault-list.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import type { CallJournal } from "../records/call-record.ts";
import type { FloodLimit } from "../server/flood-limit.ts";
import type { BotState, ChatHistory, Control, FileCopy, Line, LineEdit, LineErasure, UserAction } from "./control.ts";
import { createLocalAppControl } from "./local-app-control.ts";
import { createLocalRoomControl } from "./local-room-control.ts";
import { changeOwnTopic, getTopic, listTopics } from "./local-topic-control.ts";
import { createLocalWebhookControl } from "./local-webhook-control.ts";
import { createLocalWorldControl } from "./local-world-control.ts";
import { parsePersonLine, parseWords } from "./person-line.ts";

export interface ControlParts {
  readonly platform: Platform;
  readonly journal: CallJournal;
  readonly faults: FaultList;
  readonly floodLimit: FloodLimit;
  readonly clock: ShiftedClock;
}

/** The control of an emulator in this process. */
export function createLocalControl({ platform, journal, faults, floodLimit, clock }: ControlParts): Control {
  const { bots } = platform;
  return {
    addBot: async (spec) => buildBotState(bots.add(spec)),
    readBot: async ({ botId }) => buildBotState(bots.get(botId)),
    revokeBot: async ({ botId }) => {
      bots.get(botId).trouble = "revoked";
    },
    addUser: async (spec) => platform.addPerson(spec),
    act: async (action) => act(platform, action),
    say: async (lines) => lines.map((line) => say(platform, line)),
    editLine: async (edit) => editLine(platform, edit),
    eraseLine: async (erasure) => eraseLine(platform, erasure),
    readChats: async ({ botId, userId }) =>
      bots
        .all()
        .filter((bot) => botId === undefined || bot.id === botId)
        .flatMap((bot) =>
          [...bot.chats.values()].filter(({ isStarted }) => isStarted).map((chat) => buildHistory(bot, chat)),
        )
        .filter((history) => userId === undefined || history.userId === userId),
    awaitChat: async ({ botId, userId, afterSeq, timeoutMs }) => {
      const chat = platform.getChat(bots.get(botId), platform.getPerson(userId));
      await chat.changed.until(() => chat.lastSeq > afterSeq, timeoutMs);
      return chat.eventsAfter(afterSeq);
    },
    readFile: async ({ fileId }) => readFile(platform, fileId),
    readRecord: async (filter) => journal.list(filter),
    readCounts: async () => journal.counts(),
    awaitCalls: ({ method, count, timeoutMs }) => journal.awaitCalls(method, count, timeoutMs),
    addFault: async (fault) => faults.add(fault),
    removeFault: async ({ id, end }) => faults.remove(id, end),
    clearFaults: async () => faults.clear(),
    awaitFault: ({ id, count, timeoutMs }) => faults.awaitMet(id, count, timeoutMs),
    ...createLocalAppControl(platform),
    ...createLocalRoomControl(platform),
    ...createLocalWebhookControl(platform),
    ...createLocalWorldControl(platform, floodLimit, clock),
  };
}

function buildBotState(bot: Bot): BotState {
  const { id, profile, updates, poll } = bot;
  return { id, username: profile.username, pendingUpdates: updates.size, isPolling: poll.isWaiting };
}

function readFile(platform: Platform, fileId: string): FileCopy {
  const file = platform.files.find(fileId);
  if (file === undefined) throw new EmulatorError("unknown_file", `opening the file ${fileId}: there is none`);
  return { ...(file.name !== undefined && { name: file.name }), content: file.bytes.toString("base64") };
}

function buildHistory(bot: Bot, chat: Chat): ChatHistory {
  const { id: userId, first_name: userFirstName } = chat.person.profile;
  return {
    botId: bot.id,
    botUsername: bot.profile.username,
    userId,
    userFirstName,
    topics: listTopics(chat),
    messages: chat.messages(),
  };
}

function act(platform: Platform, step: UserAction): void {
  const { action, botId, userId } = step;
  const person = platform.getPerson(userId);
  if (action === "deactivate") {
    person.isDeactivated = true;
    return;
  }
  const bot = platform.bots.get(botId);
  const chat = platform.getChat(bot, person);
  chat.isStarted = true;
  if (step.action === "open-topic" || step.action === "delete-topic") {
    changeOwnTopic(platform, chat, step);
    return;
  }
  if (action === "start" || chat.isBlocked === (action === "block")) return;
  chat.isBlocked = action === "block";
  const member = { user: bot.profile, status: "member" };
  const kicked = { user: bot.profile, status: "kicked", until_date: 0 };
  bot.notify("my_chat_member", {
    chat: chat.profile,
    from: person.profile,
    date: toSeconds(platform.clock.nowMs()),
    old_chat_member: chat.isBlocked ? member : kicked,
    new_chat_member: chat.isBlocked ? kicked : member,
  });
}

/** Writing to a bot begins the chat and lifts a block, as in Telegram's apps. */
function say(platform: Platform, line: Line): number {
  const bot = platform.bots.get(line.botId);
  const person = platform.getPerson(line.userId);
  const chat = platform.getChat(bot, person);
  const draft = parsePersonLine(platform, chat, line);
  chat.isStarted = true;
  if (chat.isBlocked) act(platform, { userId: line.userId, botId: bot.id, action: "unblock" });
  if (line.topicId !== undefined) getTopic(chat, line.topicId);
  const extra = { ...draft.extra, ...(line.topicId !== undefined && { message_thread_id: line.topicId }) };
  const whole = Object.keys(extra).length > 0 ? { ...draft, extra } : draft;
  const message = chat.add({ author: "user", ...whole, atMs: platform.clock.nowMs() });
  bot.notify("message", chat.buildWire(message));
  return message.messageId;
}

function editLine(platform: Platform, edit: LineEdit): void {
  const bot = platform.bots.get(edit.botId);
  const chat = platform.getChat(bot, platform.getPerson(edit.userId));
  const message = chat.find(edit.messageId);
  if (message === undefined || message.author !== "user") {
    throw new EmulatorError(
      "unknown_message",
      `editing message ${edit.messageId}: it is not one of user ${edit.userId}`,
    );
  }
  const { text, entities } = parseWords(platform, edit);
  const edited = chat.edit(message, text, entities, undefined, platform.clock.nowMs());
  bot.notify("edited_message", chat.buildWire(edited));
}

function eraseLine(platform: Platform, { botId, userId, messageId }: LineErasure): void {
  const chat = platform.getChat(platform.bots.get(botId), platform.getPerson(userId));
  const message = chat.find(messageId);
  if (message === undefined) {
    throw new EmulatorError("unknown_message", `deleting message ${messageId}: the chat has no such message`);
  }
  chat.delete(message, platform.clock.nowMs());
}
