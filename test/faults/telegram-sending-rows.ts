/** Rows T1 to T31 of the fault table: what the bot sends, and where. */
import type { FaultRow } from "./fault-row.ts";

const CODES = "%s: %i %s is %s";

export const TELEGRAM_SENDING_ROWS: Readonly<Record<string, FaultRow>> = {
  T1: { shown: [CODES, "T1: is too long beyond 4096 units"] },
  T2: { never: "the core sends no empty text", shown: [CODES] },
  T3: {
    shown: [
      "T3: the core is told how much a caption holds",
      "T3: a caption holds 1024 units, and a photo without one has no text to edit",
    ],
  },
  T4: {
    shown: [
      "T4: is sent once more as plain text when its markup is refused",
      "T4: markup that is refused is left out, once",
      "T4: a caption that Telegram cannot read goes without its markup",
      "T4: shows the addresses of its links when they are refused as too long",
      "T4: goes on in further messages where its links with their addresses are longer than one",
      "T4: what was sent in part is in doubt, whatever the next message was refused for",
      "T4: links that are refused as too long show their addresses; where these do not fit the edit is refused",
    ],
  },
  T5: {
    shown: [
      "T5: has at most the 64 bytes that Telegram takes, with the longest ids",
      "T5, T6: buttons with too much behind them, and too many buttons, are refused",
    ],
  },
  T6: {
    never: "a message has four buttons at most",
    shown: [CODES, "T5, T6: buttons with too much behind them, and too many buttons, are refused"],
  },
  T7: { shown: [CODES, "T7: an edit that changes nothing has succeeded"] },
  T8: {
    shown: [
      "T8: what is gone, or another's, can be edited no more, and a new message is advised",
      "T8: a person who deletes it is left alone, and the answer comes as a message of its own",
    ],
  },
  T9: { shown: ["T9: arrives also when the message it answers is gone"] },
  T10: { shown: ["T10: what can be deleted no more is let be, and forgotten"] },
  T11: { shown: [CODES, "T11: says that the chat is unknown", "T11: a room it never was in is not found"] },
  T12: {
    shown: [
      "T12: a group that became a supergroup names its new address",
      "T12: a group that grows",
      "T12: an upgrade is told, with nothing lost on either side, and a send to the old id names the new one",
      "T12: a group that grows goes on with the same conversation under its new id",
    ],
  },
  T13: {
    shown: [
      "T13: says that the user blocked the bot",
      "T13: that a person blocked the bot",
      "T13, T14, T15: blocked, deleted, and never started",
    ],
  },
  T14: { shown: [CODES, "T13, T14, T15: blocked, deleted, and never started"] },
  T15: { shown: [CODES, "T13, T14, T15: blocked, deleted, and never started"] },
  T16: {
    shown: [
      CODES,
      "T16: a bot that was removed is told so, and told what to do",
      "T16: the bot was removed, or left by itself, and my_chat_member says so",
      "T16: a room that was deleted",
    ],
  },
  T17: {
    shown: [
      CODES,
      "T17: a bot that may not write is told so, and hears when it may again",
      "T17: an administrator of a channel without the right to post",
    ],
  },
  T18: {
    shown: [
      CODES,
      "%s: a topic that is gone is said to be before its message goes to the chat, never elsewhere",
      "T18, T21, T25: what is meant for a topic of a private chat that is gone",
      "takes nothing for a topic that is unknown, closed or deleted (T18, T20, T21)",
    ],
  },
  T19: {
    shown: [
      "T19: the General topic without its id",
      "gives what is said in a topic its id, and what is said in General none (T19)",
    ],
  },
  T20: {
    shown: [
      "T20: a closed topic is opened again for what is sent there",
      "T20: where the bot may not open it, the message goes to the chat, which is told what is missing",
      "T20: a topic that somebody has closed is opened again for what the sub-agent says; without the right it is let go",
    ],
  },
  T21: {
    shown: [
      "T21, T25: the end of a topic of a private chat that is gone",
      "T21: with threads.fallback refuse it is said to be gone, and the message is told to be undeliverable",
      "T21: what is meant for a topic that was deleted goes to the group, and the topic is nobody's any more",
    ],
  },
  T22: { shown: ["T22: a name that it has already, and a topic that is closed already, are no errors"] },
  T23: {
    shown: [
      "T23: in a %s without topics for the bot a chain of replies begins with the hello",
      "T23: in a %s a sub-agent lives in the replies to a message of its own, and others do not hear of them",
      "refuses who has no right, and a chat that is none (T23)",
    ],
  },
  T24: {
    shown: [
      "T24: a topic that somebody closes is let go where the bot may not open it again",
      "T24: what becomes of a topic reaches no agent, and nobody is answered for it",
    ],
  },
  T25: {
    shown: ["T25: in a private chat with topics each topic is a conversation of its own, and a sub-agent lives in one"],
  },
  T26: {
    shown: [
      "T26: in a reply thread",
      "T26: gives a reply in a supergroup the thread of its first message, which is no topic",
    ],
  },
  T27: {
    shown: [
      "T27: says how long to wait, and is not tried again by itself",
      "T27: tells a held chat from a held account, by how many chats are held at once",
      "T27: Telegram's pace",
      "T27: flood control",
    ],
  },
  T28: { shown: ["T28: a full queue waits its minute", "%s: %i %s is injected"] },
  T29: {
    shown: [
      "T29: revoked",
      "T29: with a refused token stops the account",
      "T29: a refused token is an error that names the cure and not the token",
      "T29: a token that is revoked ends the account",
    ],
  },
  T30: { shown: ["T30: logged out", "T30: closed", "T30: logs out and closes by the bot's own call"] },
  T31: { shown: ["T31: at another server"] },
};
