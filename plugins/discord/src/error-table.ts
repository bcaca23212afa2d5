import type { ChannelErrorClass } from "@banyan/plugin-sdk";

/**
 * One way in which Discord refuses a call. A row fits when all that it names fits. JSON codes are the documented part of
 * an answer ("Opcodes and Status Codes", docs.discord.com/developers/topics/opcodes-and-status-codes); the HTTP status
 * beside them is not, so a row of codes names no status.
 */
export interface ErrorRow {
  /** The number of the fault in the project's fault table; tests are named by it. */
  readonly row: string;
  /** JSON error codes. Absent: any. */
  readonly codes?: readonly number[];
  /** The lowest and highest HTTP status. Absent: any. */
  readonly statuses?: readonly [number, number];
  /** Fits the message with its list of fields, one a line as `content[BASE_TYPE_MAX_LENGTH]: …`. */
  readonly text?: RegExp;
  /** Whether the answer has the form of Discord's API. Absent: either. */
  readonly isJson?: boolean;
  readonly class: ChannelErrorClass;
  /** Instead of `class` where the call was for a thread. */
  readonly classInThread?: ChannelErrorClass;
  readonly advice: string;
  /** The permissions that the call needs are named in the advice. */
  readonly isAboutPermissions?: true;
  /** With `rate_limited`, where the answer names no time. */
  readonly retryAfterMs?: number;
  /** With `rate_limited`. */
  readonly isAccountWide?: true;
}

const OUR_BUG = "the plugin built a request that Discord does not take; report it";
const NEW_TOKEN = "take the present token from the Bot page of the developer portal";
const NEW_MESSAGE = "send a new message instead";
const NO_DM = "the user has to allow direct messages from members of a server that the bot is in";
const NO_FORUM = "make a post there, with a tag where the forum requires one";
const SMALLER_FILE = "send fewer or smaller files, or a link";
const REPHRASE = "the server's moderation refuses this text; change the text or the server's rules";
const FEWER_THREADS = "archive threads that are not needed any more; the server has as many active ones as it may have";
const GONE = "it is deleted, or the bot was taken out of it; invite the bot again or use another one";
const LATER = "Discord asks to come back later; it is tried again";
const NOT_DISCORD = "this is not how Discord answers; check apiBaseUrl and the proxy before it, it is tried again";

/**
 * A block by Cloudflare names no time. One call a minute stays far below the 10,000 refused calls in ten minutes that
 * bring it about ("Invalid Request Limit aka Cloudflare Bans", docs.discord.com/developers/topics/rate-limits).
 */
const BLOCKED = {
  class: "rate_limited",
  advice: "Cloudflare blocks this network's calls for a while; check that no other program of it calls Discord in vain",
  retryAfterMs: 60_000,
  isAccountWide: true,
} as const;

/** The first fitting row counts. */
export const ERROR_TABLE: readonly ErrorRow[] = [
  { row: "D13", codes: [40333], ...BLOCKED },
  { row: "D13", statuses: [403, 403], isJson: false, ...BLOCKED },
  { row: "D13", statuses: [429, 429], isJson: false, ...BLOCKED },
  { row: "D40", codes: [10015, 50027], class: "permanent", advice: "the webhook is gone; make it again" },
  { row: "D15", codes: [40001, 50014], class: "unauthorized", advice: NEW_TOKEN },
  { row: "D15", statuses: [401, 401], class: "unauthorized", advice: NEW_TOKEN },

  { row: "D30", codes: [30046], class: "permanent", advice: NEW_MESSAGE },
  {
    row: "D34",
    codes: [40003],
    class: "rate_limited",
    advice: "wait before another DM is opened",
    retryAfterMs: 60_000,
  },
  { row: "D29", codes: [20016, 20022, 20028, 20029], class: "rate_limited", advice: "wait as long as Discord asks" },
  { row: "D9", codes: [40062], class: "rate_limited", advice: "wait as long as Discord asks" },
  { row: "D9", statuses: [429, 429], class: "rate_limited", advice: "wait as long as Discord asks" },
  { row: "D35", codes: [130000, 110000, 110001, 40004, 40006], class: "definite", advice: LATER },

  {
    row: "D1",
    codes: [50035],
    text: /^(?:\w+\.)?content\[BASE_TYPE_(?:MAX|BAD)_LENGTH\]/m,
    class: "too_long",
    advice: "split the text at 2000 characters",
  },
  { row: "D2", codes: [50006], class: "permanent", advice: "send no empty text" },
  {
    row: "D19",
    codes: [50035],
    text: /MESSAGE_REFERENCE_UNKNOWN_MESSAGE/,
    class: "permanent",
    advice: "send it without a reply",
  },
  {
    row: "D3",
    codes: [50035],
    text: /^(?:\w+\.)?embeds\b/m,
    class: "permanent",
    advice: "the card is over Discord's limits; report it",
  },
  { row: "D4", codes: [30015, 40005, 50045], class: "permanent", advice: SMALLER_FILE },
  { row: "D4", statuses: [413, 413], class: "permanent", advice: SMALLER_FILE },
  {
    row: "D6",
    codes: [50035],
    text: /^(?:name|thread_name)\[/m,
    class: "permanent",
    advice: "a thread's name has 1 to 100 characters",
  },
  {
    row: "D7",
    codes: [50035],
    text: /^auto_archive_duration\[/m,
    class: "permanent",
    advice: "a thread is archived after 60, 1440, 4320 or 10080 minutes",
  },
  { row: "D8", codes: [50035], text: /^username\[/m, class: "permanent", advice: "choose another display name" },
  { row: "D36", codes: [50035, 50109], class: "permanent", advice: OUR_BUG },

  {
    row: "D16",
    codes: [50001],
    class: "chat_gone",
    classInThread: "thread_gone",
    advice: "let the bot see it",
    isAboutPermissions: true,
  },
  {
    row: "D17",
    codes: [50013],
    class: "permanent",
    advice: "give the bot's role the permission",
    isAboutPermissions: true,
  },
  { row: "D18", codes: [10003], class: "chat_gone", classInThread: "thread_gone", advice: GONE },
  { row: "D19", codes: [10008], class: "permanent", advice: NEW_MESSAGE },
  { row: "D20", codes: [10004, 40007], class: "chat_gone", advice: GONE },
  { row: "10007", codes: [10007, 10013], class: "permanent", advice: "the user has left the server" },
  { row: "D22", codes: [50083], class: "permanent", advice: "the thread is archived; open it again first" },
  {
    row: "D23",
    codes: [160005],
    class: "permanent",
    classInThread: "thread_gone",
    advice: "the thread is locked; unlock it, or give the bot's role Manage Threads",
  },
  { row: "D24", codes: [160004], class: "permanent", advice: "use the thread that has the message's id" },
  { row: "D25", codes: [160006, 160007], class: "permanent", advice: FEWER_THREADS },
  { row: "D26", codes: [30033], class: "permanent", advice: "add no more users to the thread" },
  {
    row: "D27",
    codes: [160002],
    class: "permanent",
    advice: "send it without a reply, or give the bot's role Read Message History",
  },
  { row: "D28", codes: [40058, 40067], class: "permanent", advice: NO_FORUM },
  { row: "D31", codes: [50005, 50021], class: "permanent", advice: NEW_MESSAGE },
  { row: "D32", codes: [200000, 200001, 240000, 20009], class: "permanent", advice: REPHRASE },
  { row: "D33", codes: [50007, 50278], class: "chat_gone", advice: NO_DM },
  { row: "D37", codes: [10062], class: "permanent", advice: "too late for this interaction; send a message instead" },
  { row: "D38", codes: [40060], class: "permanent", advice: "nothing is to be done" },
  { row: "D39", codes: [40094], class: "permanent", advice: "change the last follow-up, or send a message instead" },
  { row: "D40", codes: [30007], class: "permanent", advice: "remove a webhook of the channel" },
  {
    row: "50008",
    codes: [50008, 50024],
    class: "permanent",
    advice: "the channel is of a kind that takes no messages; use a text channel",
  },

  { row: "404", statuses: [404, 404], isJson: false, class: "definite", advice: NOT_DISCORD },
  { row: "4xx", statuses: [400, 499], isJson: false, class: "definite", advice: NOT_DISCORD },
  { row: "4xx", statuses: [400, 499], class: "permanent", advice: OUR_BUG },
];
