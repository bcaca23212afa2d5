/** Where each row of the fault table is shown, or why it cannot be provoked. */
export interface FaultRow {
  /** File and title, as the title stands in the file; a table's title holds a placeholder. */
  readonly shown?: readonly (readonly [file: string, title: string])[];
  /** Why the channel never meets it, where that is so; what is shown then is only how it would be told. */
  readonly never?: string;
}

/** Rows whose tests are being written beside this register: each goes from here into the table below. */
export const OWED_ROWS: readonly string[] = [
  ...["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9"],
  ...["T18", "T19", "T20", "T21", "T22", "T23", "T24", "T25", "T26"],
  ...["T44", "T45", "T46", "T47", "T48", "T49", "T50", "T51", "T57", "T61", "T62"],
];

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

const REFUSED_ACCOUNT = [TROUBLE, "T29: revoked"] as const;

export const FAULT_ROWS: Readonly<Record<string, FaultRow>> = {
  T10: { never: "the channel deletes no message" },
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
      [`${FLOWS}/telegram-group.test.ts`, "T12: a group that grows goes on with the same conversation"],
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
      [`${EMULATOR}/fault.test.ts`, "T56: drops the answer of a message that was sent"],
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
};
