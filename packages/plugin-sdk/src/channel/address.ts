/**
 * Where a message is: channel, account, chat, thread. One opaque value: it is compared, stored and passed on whole,
 * so no part of it can get lost on the way. Only the plugin of the channel builds one; the core reads parts through
 * `parseAddress` and never assembles any.
 */
export type Address = string & { readonly [addressBrand]: true };
declare const addressBrand: unique symbol;

/** `dm`: two parties. `group`: a chat people join. `channel`: a room of a server, or a broadcast. */
export type ChatKind = "dm" | "group" | "channel";

export interface AddressParts {
  /** The plugin's id, such as `irc`. */
  readonly channel: string;
  /** The account's name in the configuration, such as `default`. */
  readonly account: string;
  readonly kind: ChatKind;
  /** The platform's stable id of the chat. */
  readonly chat: string;
  /** The platform's stable id of the thread or topic inside the chat. */
  readonly thread?: string;
}

/** What stands for itself when it is percent-encoded: most ids. */
const PLAIN_FIELD = /^[A-Za-z0-9_.~-]+$/;
/** An address of four such fields. */
const PLAIN = /^([A-Za-z0-9_.~-]+)\/([A-Za-z0-9_.~-]+)\/(dm|group|channel)\/([A-Za-z0-9_.~-]+)$/;
const KINDS: ReadonlySet<string> = new Set(["dm", "group", "channel"]);

/** `channel/account/kind/chat[/thread]`, each part percent-encoded. Throws a `URIError` for a lone surrogate. */
export function formatAddress(parts: AddressParts): Address {
  const fields = [parts.channel, parts.account, parts.kind, parts.chat];
  if (parts.thread !== undefined) fields.push(parts.thread);
  const text = fields.map(encodeURIComponent).join("/");
  if (!isAddress(text))
    throw new TypeError(`An address was formatted: a part is empty in ${text}; give each part a value`);
  return text;
}

/** The parts of an address. Throws a `TypeError` for text that `formatAddress` never gives. */
export function parseAddress(address: string): AddressParts {
  return parsePlain(address) ?? parseEncoded(address);
}

/** Nearly all addresses are. They are read several times for each message. */
function parsePlain(address: string): AddressParts | undefined {
  const [, channel, account, kind, chat] = PLAIN.exec(address) ?? [];
  if (channel === undefined || account === undefined || chat === undefined || !isChatKind(kind)) return undefined;
  return { channel, account, kind, chat };
}

function parseEncoded(address: string): AddressParts {
  const fields = address.split("/").map(decodeField);
  const [channel, account, kind, chat, thread] = fields;
  if (
    !channel ||
    !account ||
    !chat ||
    !isChatKind(kind) ||
    fields.length > 5 ||
    thread === "" ||
    fields.includes(undefined)
  ) {
    throw new TypeError(`An address was parsed: ${JSON.stringify(address)} is none; take it from formatAddress`);
  }
  return thread === undefined ? { channel, account, kind, chat } : { channel, account, kind, chat, thread };
}

/** The same chat without its thread: what a platform's per-chat order and rate limits count by. */
export function resolveChatOf(address: Address): Address {
  let slashes = 0;
  for (let at = address.indexOf("/"); at >= 0; at = address.indexOf("/", at + 1)) {
    slashes += 1;
    const chat = address.slice(0, at);
    if (slashes === 4 && isAddress(chat)) return chat;
  }
  return address;
}

/** Whether text has the form of an address. */
export function isAddress(text: string): text is Address {
  if (PLAIN.test(text)) return true;
  const fields = text.split("/");
  return fields.length >= 4 && fields.length <= 5 && fields.every((field) => field !== "") && isChatKind(fields[2]);
}

/** `undefined` for what `formatAddress` never writes. */
function decodeField(field: string): string | undefined {
  if (PLAIN_FIELD.test(field)) return field;
  try {
    const text = decodeURIComponent(field);
    return encodeURIComponent(text) === field ? text : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function isChatKind(text: string | undefined): text is ChatKind {
  return text !== undefined && KINDS.has(text);
}
