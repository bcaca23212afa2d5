import { BanyanError } from "../../ports/errors.ts";
import { formatReceivedValue } from "./received-value.ts";
import { isReservedWord } from "./reserved-word.ts";

const CHANNEL_ID = /^[a-z][a-z0-9-]{0,31}$/;

/**
 * Gives the channel id that a text means: trimmed and lower-cased, then a letter and up to 31 of `a-z 0-9 -`.
 * Nothing else is repaired. Throws `invalid_channel` for everything else and for reserved words.
 */
export function normalizeChannelId(channel: string | null | undefined): string {
  const text = typeof channel === "string" ? channel.trim().toLowerCase() : "";
  if (!CHANNEL_ID.test(text)) throw channelError("it is not of the form of a channel id", channel);
  if (isReservedWord(text)) throw channelError("the word is reserved", channel);
  return text;
}

/** Whether a text is a channel id as it stands in a key. */
export function isChannelId(text: string): boolean {
  return CHANNEL_ID.test(text) && !isReservedWord(text);
}

function channelError(wrong: string, received: unknown): BanyanError {
  return new BanyanError(
    "invalid_channel",
    `reading a channel id: ${wrong}, received ${formatReceivedValue(received)}; use the id that the channel plugin declares: a letter, then up to 31 of a-z, 0-9 and -`,
  );
}
