/** T1 to T31: what is said, and where. */
import type { FaultRow } from "./fault-row.ts";

const CODES = ["telegram-fault.test.ts", "%s: %i %s is %s"] as const;
const EMULATOR = "../../../packages/emulator-telegram/test";
const CHATS = `${EMULATOR}/chat-fault.test.ts`;
const ACCOUNTS = `${EMULATOR}/account-fault.test.ts`;
const FLOWS = "../../../test/flows";
const SENDING = "sending/message-sender.test.ts";
const TRANSLATION = "updates/update-translation.test.ts";
const ROOMS = "updates/room.test.ts";
const TROUBLE = "polling/account-trouble.test.ts";
const RECOVERY = "polling/poll-recovery.test.ts";
const WEBHOOK = "webhook/webhook.test.ts";
const EDITING = "sending/message-edit.test.ts";
const FILES = "sending/file-sender.test.ts";
const BOOK = "growth/draft-book.test.ts";
const GONE = "threads/gone-topic.test.ts";
const CHAINS = "threads/reply-chain.test.ts";
const THREADS = `${FLOWS}/telegram-threads.long.test.ts`;
const ROOMS_OF_TELEGRAM = `${EMULATOR}/room.long.test.ts`;
const TOPICS = `${EMULATOR}/topic.test.ts`;
const BUTTONS = `${EMULATOR}/button.test.ts`;

const REFUSED_ACCOUNT = [TROUBLE, "T29: revoked"] as const;

export const EARLIER_ROWS: Readonly<Record<string, FaultRow>> = {
  T1: { shown: [CODES, [SENDING, "T1: is too long beyond 4096 units"]] },
  T2: { never: "the core sends no empty text", shown: [CODES] },
  T3: {
    shown: [
      [FILES, "T3: the core is told how much a caption holds"],
      [CHATS, "T3: a caption holds 1024 units"],
    ],
  },
  T4: {
    shown: [
      [SENDING, "T4: is sent once more as plain text when its markup is refused"],
      [EDITING, "T4: markup that is refused is left out, once"],
      [FILES, "T4: a caption that Telegram cannot read goes without its markup"],
    ],
  },
  T5: {
    shown: [
      ["buttons/button-data.test.ts", "T5: has at most the 64 bytes that Telegram takes, with the longest ids"],
      [BUTTONS, "T5, T6: buttons with too much behind them"],
    ],
  },
  T6: { never: "a message has four buttons at most", shown: [CODES, [BUTTONS, "T5, T6: buttons with too much"]] },
  T7: { shown: [CODES, [EDITING, "T7: an edit that changes nothing has succeeded"]] },
  T8: {
    shown: [
      [EDITING, "T8: what is gone, or another's, can be edited no more"],
      [BOOK, "T8: a person who deletes it is left alone"],
    ],
  },
  T9: { shown: [[SENDING, "T9: arrives also when the message it answers is gone"]] },
  T10: { shown: [[BOOK, "T10: what can be deleted no more is let be, and forgotten"]] },
  T11: {
    shown: [
      CODES,
      [SENDING, "T11: says that the chat is unknown"],
      [CHATS, "T11: a room it never was in is not found"],
    ],
  },
  T12: {
    shown: [
      ["telegram-fault.test.ts", "T12: a group that became a supergroup names its new address"],
      ["intake/update-intake.test.ts", "T12: a group that grows"],
      [ROOMS, "T12: an upgrade is told, with nothing lost on either side"],
      [`${FLOWS}/telegram-group.long.test.ts`, "T12: a group that grows goes on with the same conversation"],
    ],
  },
  T13: {
    shown: [
      [SENDING, "T13: says that the user blocked the bot"],
      ["updates/membership.test.ts", "T13: that a person blocked the bot"],
      [CHATS, "T13, T14, T15: blocked, deleted, and never started"],
    ],
  },
  T14: { shown: [CODES, [CHATS, "T13, T14, T15: blocked, deleted, and never started"]] },
  T15: { shown: [CODES, [CHATS, "T13, T14, T15: blocked, deleted, and never started"]] },
  T16: {
    shown: [
      CODES,
      [ROOMS, "T16: a bot that was removed is told so, and told what to do"],
      [CHATS, "T16: the bot was removed, or left by itself, and my_chat_member says so"],
      [CHATS, "T16: a room that was deleted"],
    ],
  },
  T17: {
    shown: [
      CODES,
      [ROOMS, "T17: a bot that may not write is told so, and hears when it may again"],
      [CHATS, "T17: an administrator of a channel without the right to post"],
    ],
  },
  T18: {
    shown: [
      CODES,
      [GONE, '["T18", { code: 400'],
      [TOPICS, "takes nothing for a topic that is unknown, closed or deleted (T18, T20, T21)"],
    ],
  },
  T19: {
    shown: [
      [SENDING, "T19: the General topic without its id"],
      [TOPICS, "what is said in General none (T19)"],
    ],
  },
  T20: {
    shown: [
      [GONE, "T20: a closed topic is opened again for what is sent there"],
      [GONE, "T20: where the bot may not open it, it is let go and the message goes to the chat"],
      [THREADS, "T20: a topic that somebody has closed is opened again for what the sub-agent says"],
    ],
  },
  T21: {
    shown: [
      [GONE, "T21: with threads.fallback refuse it is said to be gone"],
      [THREADS, "T21: what is meant for a topic that was deleted goes to the group"],
    ],
  },
  T22: { shown: [["threads/thread-closer.test.ts", "T22: a name that it has already"]] },
  T23: {
    shown: [
      [CHAINS, "T23: in a %s without topics for the bot a chain of replies begins with the hello"],
      [
        `${FLOWS}/telegram-reply-chain.long.test.ts`,
        "T23: in a %s a sub-agent lives in the replies to a message of its own",
      ],
      [TOPICS, "refuses who has no right, and a chat that is none (T23)"],
    ],
  },
  T24: {
    shown: [
      ["threads/topic-news.test.ts", "T24: a topic that somebody closes is let go where the bot may not open it again"],
      [`${FLOWS}/telegram-topics.test.ts`, "T24: what becomes of a topic reaches no agent"],
    ],
  },
  T25: { shown: [[THREADS, "T25: in a private chat with topics each topic is a conversation of its own"]] },
  T26: {
    shown: [
      [TRANSLATION, "T26: in a reply thread"],
      [ROOMS_OF_TELEGRAM, "T26: gives a reply in a supergroup the thread of its first message, which is no topic"],
    ],
  },
  T27: {
    shown: [
      [SENDING, "T27: says how long to wait, and is not tried again by itself"],
      [SENDING, "T27: tells a held chat from a held account"],
      ["sending/send-pace.test.ts", "T27: Telegram's pace"],
      [ACCOUNTS, "T27: flood control"],
    ],
  },
  T28: {
    shown: [
      ["telegram-fault.test.ts", "T28: a full queue waits its minute"],
      [ACCOUNTS, '"T28", 429, "Too Many Requests: retry after 60"'],
    ],
  },
  T29: {
    shown: [
      REFUSED_ACCOUNT,
      [RECOVERY, "T29: with a refused token stops the account"],
      ["inspect-telegram.test.ts", "T29: a refused token is an error that names the cure and not the token"],
      [WEBHOOK, "T29: a token that is revoked ends the account"],
    ],
  },
  T30: {
    shown: [
      [TROUBLE, "T30: logged out"],
      [TROUBLE, "T30: closed"],
      [ACCOUNTS, "T30: logs out and closes"],
    ],
  },
  T31: { shown: [[TROUBLE, "T31: at another server"]] },
};
