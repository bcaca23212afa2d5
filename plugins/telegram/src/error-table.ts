import type { ChannelErrorClass } from "@banyan/plugin-sdk";

/** One way in which the Bot API refuses a call. A row fits when the code is in the range and one of the texts occurs. */
export interface ErrorRow {
  /** The number of the fault in the project's fault table; tests are named by it. */
  readonly row: string;
  /** The lowest and highest `error_code`. Absent: 400 to 499, for servers say the same with 400 or 403 by version. */
  readonly codes?: readonly [number, number];
  /** Parts of the description, in lower case. Empty: any description. */
  readonly texts: readonly string[];
  /** The description is one of the texts, and not only holds it. */
  readonly isWhole?: boolean;
  readonly class: ChannelErrorClass;
  readonly advice: string;
}

const WRITE_AGAIN = "nothing can be sent here until the user writes to the bot";
const REJOIN = "add the bot to the chat again";
const SHORTEN = "split the text at 4096 UTF-16 units";
const NEW_TOPIC = "the topic is out of reach; reopen it or make a new one";
const BOTFATHER = "take the present token from @BotFather";
const OUR_BUG = "the plugin built a request that Telegram does not take; report it";
const NEW_MESSAGE = "send a new message instead";
const ONE_POLLER = "stop the other program that uses this token";

/**
 * Every refusal that concerns text, the first fitting row counts. Descriptions are no documented part of the
 * Bot API, so an unknown one falls through to the rows of its code at the end.
 */
export const ERROR_TABLE: readonly ErrorRow[] = [
  { row: "T27", codes: [429, 429], texts: [], class: "rate_limited", advice: "wait as long as Telegram asks" },
  { row: "T29", codes: [401, 401], texts: [], class: "unauthorized", advice: BOTFATHER },
  { row: "T57", codes: [404, 404], texts: ["method not found"], class: "permanent", advice: "use a newer server" },
  {
    row: "T29",
    codes: [404, 404],
    texts: ["not found"],
    isWhole: true,
    class: "unauthorized",
    advice: "there is no bot with this token; take the present one from @BotFather, or check apiBaseUrl",
  },
  {
    row: "404",
    codes: [404, 404],
    texts: [],
    class: "definite",
    advice: "this is not how Telegram answers; check apiBaseUrl and the proxy before it, it is tried again",
  },
  {
    row: "T30",
    texts: ["logged out", "bot has already been closed"],
    class: "unauthorized",
    advice: "wait ten minutes, or use the server it moved to",
  },
  {
    row: "T31",
    codes: [421, 421],
    texts: [],
    class: "unauthorized",
    advice: "this Bot API server does not serve this token; check apiBaseUrl",
  },
  {
    row: "T59",
    texts: ["frozen_method_invalid"],
    class: "unauthorized",
    advice: "Telegram froze this account; its owner has to appeal in the Telegram app",
  },
  { row: "T33", codes: [409, 409], texts: ["webhook is active"], class: "definite", advice: "delete the webhook" },
  {
    row: "T34",
    codes: [409, 409],
    texts: ["terminated by other setwebhook"],
    class: "definite",
    advice: "set the webhook once",
  },
  { row: "T32", codes: [409, 409], texts: [], class: "definite", advice: ONE_POLLER },

  {
    row: "T41",
    texts: ["bad webhook", "invalid webhook url", "secret token contains"],
    class: "permanent",
    advice: "correct webhookUrl and webhookSecret",
  },

  {
    row: "T1",
    texts: ["message is too long", "text is too long", "message_too_long"],
    class: "too_long",
    advice: SHORTEN,
  },
  { row: "T2", texts: ["message text is empty"], class: "permanent", advice: "send no empty text" },
  { row: "T3", texts: ["caption is too long"], class: "too_long", advice: "a caption holds 1024 UTF-16 units" },
  {
    row: "T4",
    texts: [
      "can't parse entities",
      "can't parse messageentity",
      "entity url",
      "entity_",
      "entities_too_long",
      "entities too long",
    ],
    class: "bad_markup",
    advice: "send it without markup, or with fewer and shorter links",
  },
  {
    row: "T46",
    texts: ["file is too big"],
    class: "permanent",
    advice: "bots can fetch up to 20 MB; ask for it in smaller parts or as a link",
  },
  {
    row: "T47",
    texts: ["too big for a photo", "request entity too large"],
    class: "permanent",
    advice: "a file may have 50 MB and a photo 10 MB; send less, or a link",
  },
  { row: "T48", texts: ["wrong file_id"], class: "permanent", advice: "ask for the file to be sent again" },
  { row: "T5", texts: ["button_data_invalid"], class: "permanent", advice: OUR_BUG },
  { row: "T6", texts: ["reply markup is too long"], class: "permanent", advice: "use fewer buttons" },
  { row: "T7", texts: ["message is not modified"], class: "permanent", advice: "nothing is to be done" },
  {
    row: "T8",
    texts: [
      "message to edit not found",
      "message can't be edited",
      "no text in the message to edit",
      "no caption in the message to edit",
      "message_id_invalid",
      "message_author_required",
      "message_edit_time_expired",
    ],
    class: "message_gone",
    advice: NEW_MESSAGE,
  },
  {
    row: "T10",
    texts: ["message can't be deleted", "message to delete not found"],
    class: "permanent",
    advice: "it is gone, or older than 48 hours and stays",
  },
  { row: "T45", texts: ["textdraft_peer_invalid"], class: "permanent", advice: "show no drafts here" },
  { row: "T50", texts: ["query is too old"], class: "permanent", advice: "nothing is to be done" },
  { row: "T9", texts: ["message to be replied not found"], class: "permanent", advice: "send it without a reply" },

  {
    row: "T23",
    texts: ["chat is not a forum", "not enough rights to create a topic"],
    class: "permanent",
    advice: "switch topics on and let the bot manage them, or answer in the chat",
  },
  {
    row: "T23",
    texts: ["rights to edit the topic", "rights to close or reopen the topic", "rights to delete the topic"],
    class: "permanent",
    advice: "let the bot manage topics",
  },
  { row: "T22", texts: ["topic_not_modified"], class: "permanent", advice: "nothing is to be done" },
  { row: "T18", texts: ["message thread not found"], class: "thread_gone", advice: NEW_TOPIC },
  { row: "T21", texts: ["topic_deleted", "topic_id_invalid"], class: "thread_gone", advice: NEW_TOPIC },
  { row: "T20", texts: ["topic_closed"], class: "thread_gone", advice: NEW_TOPIC },

  { row: "T11", texts: ["chat not found"], class: "chat_gone", advice: WRITE_AGAIN },
  {
    row: "T12",
    texts: ["upgraded to a supergroup"],
    class: "chat_gone",
    advice: "the group has a new id that Telegram did not tell; write in it once",
  },
  { row: "T13", texts: ["bot was blocked by the user"], class: "chat_gone", advice: WRITE_AGAIN },
  { row: "T14", texts: ["user is deactivated"], class: "chat_gone", advice: "the account is deleted" },
  { row: "T15", texts: ["can't initiate conversation"], class: "chat_gone", advice: WRITE_AGAIN },
  {
    row: "T16",
    texts: [
      "bot was kicked from",
      "bot is not a member",
      "group chat was deleted",
      "group is deactivated",
      "channel_private",
    ],
    class: "chat_gone",
    advice: REJOIN,
  },
  {
    row: "T17",
    texts: [
      "not enough rights to send",
      "have no rights to send",
      "need administrator rights in the channel",
      "chat_write_forbidden",
      "chat_restricted",
      "chat_admin_required",
      "chat_send_plain_forbidden",
      "chat_send_docs_forbidden",
    ],
    class: "chat_gone",
    advice: "give the bot the right to send messages",
  },

  {
    row: "T55",
    codes: [500, 599],
    texts: [],
    class: "ambiguous",
    advice: "Telegram has trouble; what became of the call is unknown",
  },
  { row: "4xx", texts: [], class: "permanent", advice: OUR_BUG },
];
