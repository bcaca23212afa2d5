import type { Bot } from "../bots/bot.ts";
import type { Chat } from "../chats/chat.ts";
import { toSeconds } from "../chats/message.ts";
import type { FaultList } from "../faults/fault-list.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import type { CallJournal } from "../records/call-record.ts";
import { parseFormattedText } from "../text/formatted-text.ts";
import type { BotState, ChatHistory, Control, Line, LineEdit, UserAction } from "./control.ts";

/** The control of an emulator in this process. */
export function createLocalControl(platform: Platform, journal: CallJournal, faults: FaultList): Control {
  const { bots } = platform;
  return {
    addBot: async (spec) => buildBotState(bots.add(spec)),
    readBot: async ({ botId }) => buildBotState(bots.get(botId)),
    revokeBot: async ({ botId }) => {
      bots.get(botId).isRevoked = true;
    },
    addUser: async (spec) => platform.addPerson(spec),
    act: async (action) => act(platform, action),
    say: async (lines) => lines.map((line) => say(platform, line)),
    editLine: async (edit) => editLine(platform, edit),
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
    readRecord: async (filter) => journal.list(filter),
    readCounts: async () => journal.counts(),
    awaitCalls: ({ method, count, timeoutMs }) => journal.awaitCalls(method, count, timeoutMs),
    addFault: async (fault) => faults.add(fault),
    removeFault: async ({ id, end }) => faults.remove(id, end),
    clearFaults: async () => faults.clear(),
    awaitFault: ({ id, count, timeoutMs }) => faults.awaitMet(id, count, timeoutMs),
  };
}

function buildBotState(bot: Bot): BotState {
  const { id, profile, updates, poll } = bot;
  return { id, username: profile.username, pendingUpdates: updates.size, isPolling: poll.isWaiting };
}

function buildHistory(bot: Bot, chat: Chat): ChatHistory {
  const { id: userId, first_name: userFirstName } = chat.person.profile;
  return { botId: bot.id, botUsername: bot.profile.username, userId, userFirstName, messages: chat.messages() };
}

function act(platform: Platform, { action, botId, userId }: UserAction): void {
  const person = platform.getPerson(userId);
  if (action === "deactivate") {
    person.isDeactivated = true;
    return;
  }
  const bot = platform.bots.get(botId);
  const chat = platform.getChat(bot, person);
  chat.isStarted = true;
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
  const { text, entities } = parseLine(line);
  const chat = platform.getChat(bot, person);
  chat.isStarted = true;
  if (chat.isBlocked) act(platform, { userId: line.userId, botId: bot.id, action: "unblock" });
  if (line.replyTo !== undefined && chat.find(line.replyTo) === undefined) {
    throw new EmulatorError("unknown_message", `replying to message ${line.replyTo}: the chat has no such message`);
  }
  const message = chat.add({
    author: "user",
    text,
    entities,
    ...(line.replyTo !== undefined && { replyTo: line.replyTo }),
    atMs: platform.clock.nowMs(),
  });
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
  const { text, entities } = parseLine(edit);
  const edited = chat.edit(message, text, entities, undefined, platform.clock.nowMs());
  bot.notify("edited_message", chat.buildWire(edited));
}

/** What an app would not send either is a mistake of the test. */
function parseLine(
  line: Pick<Line, "text" | "entities">,
): ReturnType<typeof parseFormattedText> & { readonly ok: true } {
  const formatted = parseFormattedText({ text: line.text, parseMode: undefined, entities: line.entities });
  if (formatted.ok) return formatted;
  throw new EmulatorError(
    "invalid_request",
    `saying ${JSON.stringify(line.text.slice(0, 80))}: ${formatted.description}`,
  );
}
