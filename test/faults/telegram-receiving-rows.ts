/** Rows T32 to T62 of the fault table: what the bot receives, and how. */
import type { FaultRow } from "./fault-row.ts";

const CODES = "%s: %i %s is %s";

export const TELEGRAM_RECEIVING_ROWS: Readonly<Record<string, FaultRow>> = {
  T32: {
    shown: [
      "T32: a second poller",
      "T32: because of a second poller waits longer than for the network",
      "T32: another program that polls is found, and only when listening is allowed",
      "T32: ends an earlier poll with a conflict when a second one comes",
    ],
  },
  T33: {
    shown: [
      "T33: a webhook is left alone where the configuration says so, and reported",
      "T33: because of a webhook deletes it once, then waits",
      "T33: another program's webhook is replaced, or left alone where the configuration says so",
      "T33: another program's webhook stands in the way, with what helps under webhook: %s",
      "T33: refuses a poll while a webhook is set, and ends one that waits",
    ],
  },
  T34: {
    shown: [
      "T34: a webhook that cannot be set now is set later",
      "T34: one that comes while another is verified ends it; within a second it is told to wait",
    ],
  },
  T35: {
    shown: [
      "T35: unhurried at a server that answers nothing at once",
      "T35: ends a poll with nothing after its timeout, which is 50 s at most",
      "T35: slows down a hurried bot where pacing is strict",
    ],
  },
  T36: {
    shown: [
      "T36: comes again after a restart when it was stored but not confirmed, and the stored cursor prevents it",
      "T36: what comes twice at once is one",
      "T36: gives an update again until a higher offset confirms it",
    ],
  },
  T37: {
    shown: [
      "T37: after more than a day without a poll",
      "T37: after two days without a gateway the operator reads what time is lost at Telegram, in the log and in the status",
      "T37: forgets updates after 24 hours",
    ],
  },
  T38: {
    shown: [
      "T38: what is written after a week of rest is heard, though its id is one that is long confirmed",
      "T38: behind %s and the stored %i it expects %i",
    ],
  },
  T39: {
    shown: [
      "T39: what is not stored is not confirmed, and comes again after the time that is named",
      "T39: a store that hangs is no confirmation; what it stores after all is known when it comes again",
      "T39: brings what is not taken again, doubling the time from a second on",
      "T39: waits as long as Retry-After says",
      "T39: a webhook that says 410 for 23 hours is taken away, and nothing with it",
    ],
  },
  T40: {
    shown: [
      "T40: updates that come out of their order are stored in it",
      "T40: an update that does not come is waited for, for two seconds; late it is stored all the same",
      "T40: stores %s: %j behind %s (overdue: %s): %i",
      "T40: holds %s: %j behind %j",
      "T40: that a message was seen is written before the message, and gone with it",
      "T40: brings as many at once as there may be connections, and the others when one is free",
    ],
  },
  T41: {
    shown: [
      CODES,
      "attack 10: %j is refused at load (T41)",
      "attack 10: nothing is read without the secret (T41)",
      "T41: Telegram itself refuses a webhook with %s",
    ],
  },
  T42: {
    shown: [
      "T42: every poll says which kinds it takes, for Telegram keeps the list of whoever polled last",
      "T42: the list of updates is sent with each webhook that is set",
      "T42: gives only the kinds that were asked for, until asked otherwise",
    ],
  },
  T43: {
    shown: [
      "T43: privacy mode lets through what is meant for the bot, and each word of it is understood",
      "T43: a bot that is to answer all of a group and does not hear it is warned about with the cure",
      "T43: a bot that is to answer all of a group and does not hear it is a warning with its cure",
    ],
  },
  T44: {
    shown: [
      "T44: shows after a moment and every four seconds until it is stopped",
      "T44: a chat action is taken in every kind of chat, and refused where the bot may not write",
    ],
  },
  T45: {
    shown: [
      "T45: a draft whose words do not change is shown again before it vanishes",
      "T45: an answer is seen while it is made, and is one message in the end",
    ],
  },
  T46: {
    shown: [
      "T46: says that a file is too large for bots",
      "T46: asks for a link each time, so that an old one does no harm",
      "T46: a link is good for an hour, and only behind a getFile and with the token",
    ],
  },
  T47: {
    shown: [
      "T47: what is too large all the same is refused for good, and sent once",
      "T47: a photo goes as a photo, a large one as a document, and what no chat takes is said before anything is sent",
    ],
  },
  T48: { shown: ["T48: gives up an id that Telegram does not know"] },
  T49: {
    shown: [
      "T49: an album whose pieces are posted one after the other is one message, also over a death",
      "T49: an album that was cut off is one message, when its pieces come again %i s apart",
      "T49: an album is as many messages with one name and one caption, also where a piece comes late",
    ],
  },
  T50: {
    shown: [
      "T50: a word that comes too late troubles nobody, and the command counts",
      "T50: is answered once, in time, and by its own bot",
    ],
  },
  T51: { shown: ["T51: a message out of reach gives the command where it stood; in a forum nobody knows where"] },
  T52: { shown: ["T52: that was edited tells when", "T52: an edit is an update of its own kind and no new message"] },
  T53: {
    shown: [
      "T53, T54: the sender of a message",
      "T53: an anonymous administrator speaks as the group, a channel as itself",
    ],
  },
  T54: { shown: ["T53, T54: the sender of a message", "T54: other bots"] },
  T55: { shown: [CODES, "T55: a proxy gave an error page"] },
  T56: {
    shown: [
      "T56: its answer was lost",
      "T56: its request was lost on the way",
      "T56: was certainly not sent when nobody listened",
      "T56: a growing edit that Telegram makes after the answer does not overwrite it",
      "T56: drops the answer of a message that was sent",
    ],
  },
  T57: {
    shown: [
      "T57: on a server without drafts it grows in a message, and is one in the end, also over a restart",
      "T57: a method that this server does not have",
    ],
  },
  T58: {
    shown: [
      "T58: kinds that nobody knows are confirmed, and what cannot be read is left out",
      "T58: kinds that nobody knows are confirmed",
    ],
  },
  T59: { shown: [CODES, "T59: frozen, when it is found out by a send"] },
  T60: {
    shown: [
      "T60: code survives the way to Markdown and back, and nonsense in the entities is survived",
      "T60: behind signs of two units",
      "T60: entities count UTF-16 units, behind astral characters too",
    ],
  },
  T61: {
    shown: [
      "T61: a stop that comes when the turn has ended stops no other one",
      "T61: whoever stops it has stopped the turn: what was said is kept, and the next message is answered",
    ],
  },
  T62: {
    shown: [
      "T62: in a topic of a private chat all drafts of a turn go into it",
      "T62: is another one in another thread",
    ],
  },
};
