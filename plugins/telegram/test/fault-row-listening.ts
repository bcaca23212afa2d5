/** T32 to T62: what is heard, and how. */
import type { FaultRow } from "./fault-row.ts";

const CODES = ["telegram-fault.test.ts", "%s: %i %s is %s"] as const;
const EMULATOR = "../../../packages/emulator-telegram/test";
const CHATS = `${EMULATOR}/chat-fault.test.ts`;
const ACCOUNTS = `${EMULATOR}/account-fault.test.ts`;
const POLLS = `${EMULATOR}/get-updates.test.ts`;
const POSTS = `${EMULATOR}/webhook.test.ts`;
const FLOWS = "../../../test/flows";
const SENDING = "sending/message-sender.test.ts";
const TRANSLATION = "updates/update-translation.test.ts";
const ROOMS = "updates/room.test.ts";
const TROUBLE = "polling/account-trouble.test.ts";
const RECOVERY = "polling/poll-recovery.test.ts";
const CURSOR = "polling/cursor-keeper.test.ts";
const POLLER = "polling/update-poller.test.ts";
const WEBHOOK = "webhook/webhook.test.ts";
const ENDPOINT = "webhook/webhook-endpoint.test.ts";

const FILES = "sending/file-sender.test.ts";
const DOWNLOADS = "files/file-downloader.test.ts";
const DRAFTS = "growth/private-draft.test.ts";
const DESK = "buttons/button-desk.test.ts";
const GROWING = `${FLOWS}/telegram-growing-answer.long.test.ts`;
const MEDIA = `${EMULATOR}/media.test.ts`;
const DRAFT = `${EMULATOR}/draft.test.ts`;
const BUTTONS = `${EMULATOR}/button.test.ts`;

export const LATER_ROWS: Readonly<Record<string, FaultRow>> = {
  T32: {
    shown: [
      [TROUBLE, "T32: a second poller"],
      [RECOVERY, "T32: because of a second poller waits longer than for the network"],
      ["inspect-telegram.test.ts", "T32: another program that polls is found"],
      [POLLS, "T32: ends an earlier poll with a conflict when a second one comes"],
    ],
  },
  T33: {
    shown: [
      [TROUBLE, "T33: a webhook is left alone where the configuration says so, and reported"],
      [RECOVERY, "T33: because of a webhook deletes it once, then waits"],
      [WEBHOOK, "T33: another program's webhook is replaced, or left alone where the configuration says so"],
      ["inspection/inspect-webhook.test.ts", "T33: another program's webhook stands in the way"],
      [POLLS, "T33: refuses a poll while a webhook is set, and ends one that waits"],
    ],
  },
  T34: {
    shown: [
      [WEBHOOK, "T34: a webhook that cannot be set now is set later"],
      [POSTS, "T34: one that comes while another is verified ends it"],
    ],
  },
  T35: {
    shown: [
      ["polling/poll-trouble.test.ts", "T35: unhurried at a server that answers nothing at once"],
      [POLLS, "T35: ends a poll with nothing after its timeout, which is 50 s at most"],
      [POLLS, "T35: slows down a hurried bot where pacing is strict"],
    ],
  },
  T36: {
    shown: [
      [POLLER, "T36: comes again after a restart when it was stored but not confirmed"],
      [WEBHOOK, "T36: what comes twice at once is one"],
      [POLLS, "T36: gives an update again until a higher offset confirms it"],
    ],
  },
  T37: {
    shown: [
      [CURSOR, "T37: after more than a day without a poll"],
      [`${FLOWS}/telegram-gap.test.ts`, "T37: after two days without a gateway"],
      [POLLS, "T37: forgets updates after 24 hours"],
    ],
  },
  T38: {
    shown: [
      [CURSOR, "T38: what is written after a week of rest is heard"],
      ["webhook/update-order.test.ts", "T38: behind %s and the stored %i it expects %i"],
    ],
  },
  T39: {
    shown: [
      [WEBHOOK, "T39: what is not stored is not confirmed, and comes again after the time that is named"],
      [ENDPOINT, "T39: a store that hangs is no confirmation"],
      [POSTS, "T39: brings what is not taken again, doubling the time from a second on"],
      [POSTS, "T39: waits as long as Retry-After says"],
      [POSTS, "T39: a webhook that says 410 for 23 hours is taken away"],
    ],
  },
  T40: {
    shown: [
      [WEBHOOK, "T40: updates that come out of their order are stored in it"],
      [WEBHOOK, "T40: an update that does not come is waited for, for two seconds"],
      ["webhook/update-order.test.ts", "T40: stores %s: %j behind %s (overdue: %s): %i"],
      [POSTS, "T40: brings as many at once as there may be connections"],
    ],
  },
  T41: {
    shown: [
      CODES,
      ["telegram-config.test.ts", "attack 10: %j is refused at load (T41)"],
      [ENDPOINT, "attack 10: nothing is read without the secret (T41)"],
      [POSTS, "T41: Telegram itself refuses a webhook with %s"],
    ],
  },
  T42: {
    shown: [
      [POLLER, "T42: every poll says which kinds it takes"],
      [WEBHOOK, "T42: the list of updates is sent with each webhook that is set"],
      [POLLS, "T42: gives only the kinds that were asked for, until asked otherwise"],
    ],
  },
  T43: {
    shown: [
      [ROOMS, "T43: privacy mode lets through what is meant for the bot"],
      [ROOMS, "T43: a bot that is to answer all of a group and does not hear it is warned about with the cure"],
      ["inspect-telegram.test.ts", "T43: a bot that is to answer all of a group and does not hear it is a warning"],
    ],
  },
  T44: {
    shown: [
      ["sending/typing-indicator.test.ts", "T44: shows after a moment and every four seconds until it is stopped"],
      [CHATS, "T44: a chat action is taken in every kind of chat"],
    ],
  },
  T45: {
    shown: [
      [DRAFTS, "T45: a draft whose words do not change is shown again before it vanishes"],
      [GROWING, "T45: an answer is seen while it is made, and is one message in the end"],
    ],
  },
  T46: {
    shown: [
      [DOWNLOADS, "T46: says that a file is too large for bots"],
      [DOWNLOADS, "T46: asks for a link each time, so that an old one does no harm"],
      [MEDIA, "T46: a link is good for an hour"],
    ],
  },
  T47: {
    shown: [
      [FILES, "T47: what is too large all the same is refused for good, and sent once"],
      [`${FLOWS}/telegram-media.long.test.ts`, "T47: a photo goes as a photo, a large one as a document"],
    ],
  },
  T48: { shown: [[DOWNLOADS, "T48: gives up an id that Telegram does not know"]] },
  T49: {
    shown: [
      ["updates/album-wait.test.ts", "T49: waits a second from the first piece on"],
      ["webhook/album-desk.test.ts", "T49: an album whose pieces are posted one behind the other is one message"],
      [MEDIA, "T49: an album is as many messages with one name and one caption"],
    ],
  },
  T50: {
    shown: [
      [DESK, "T50: a word that comes too late troubles nobody"],
      [BUTTONS, "T50: is answered once"],
    ],
  },
  T51: { shown: [[DESK, "T51: a message out of reach gives the command where it stood"]] },
  T52: {
    shown: [
      [TRANSLATION, "T52: that was edited tells when"],
      [CHATS, "T52: an edit is an update of its own kind and no new message"],
    ],
  },
  T53: {
    shown: [
      [TRANSLATION, "T53, T54: the sender of a message"],
      [ROOMS, "T53: an anonymous administrator speaks as the group, a channel as itself"],
    ],
  },
  T54: {
    shown: [
      [TRANSLATION, "T53, T54: the sender of a message"],
      [`${EMULATOR}/privacy.test.ts`, "T54: other bots"],
    ],
  },
  T55: { shown: [CODES, [SENDING, "T55: a proxy gave an error page"]] },
  T56: {
    shown: [
      [SENDING, "T56: its answer was lost"],
      [SENDING, "T56: its request was lost on the way"],
      [SENDING, "T56: was certainly not sent when nobody listened"],
      ["growth/late-edit.test.ts", "T56: a growing edit that Telegram makes after the answer does not overwrite it"],
      [`${EMULATOR}/fault.test.ts`, "T56: drops the answer of a message that was sent"],
    ],
  },
  T57: {
    shown: [
      [GROWING, "T57: on a server without drafts it grows in a message"],
      [ACCOUNTS, "T57: a method that this server does not have"],
    ],
  },
  T58: {
    shown: [
      [
        "intake/update-intake.test.ts",
        "T58: kinds that nobody knows are confirmed, and what cannot be read is left out",
      ],
      [ENDPOINT, "T58: kinds that nobody knows are confirmed"],
    ],
  },
  T59: { shown: [CODES, [TROUBLE, "T59: frozen, when it is found out by a send"]] },
  T60: {
    shown: [
      ["updates/message-text.test.ts", "T60: code survives the way to Markdown and back"],
      ["updates/mention.test.ts", "T60: behind signs of two units"],
      [ACCOUNTS, "T60: entities count UTF-16 units, behind astral characters too"],
    ],
  },
  T61: {
    shown: [
      [DRAFTS, "T61: a stop that comes when the turn has ended stops no other one"],
      [GROWING, "T61: whoever stops it has stopped the turn"],
    ],
  },
  T62: {
    shown: [
      [DRAFTS, "T62: in a topic of a private chat all drafts of a turn go into it"],
      [DRAFT, "T62: is another one in another thread"],
    ],
  },
};
