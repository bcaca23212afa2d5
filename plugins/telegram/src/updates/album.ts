/**
 * Albums: several messages with one `media_group_id`, the caption with one of them ("Message", core.telegram.org/bots/api).
 * For the core an album is one message. Its id is that of its first piece, so it is the same whenever all pieces come again.
 */
import type { InboundMessage, Quote } from "@banyan/plugin-sdk";
import type { Update } from "grammy/types";

/** "2-10 items in an album" ("sendMediaGroup", core.telegram.org/bots/api). */
export const ALBUM_LIMIT_PIECES = 10;

/** The album that an update brings a piece of. An edit is none: what it is a piece of was taken in before. */
export function findAlbum({ message, channel_post: post }: Update): string | undefined {
  const { media_group_id: group, chat } = message ?? post ?? {};
  return group === undefined || chat === undefined ? undefined : `${chat.id}/${group}`;
}

/** One message of the pieces of an album, in whatever order they came. A message that is no album is its only piece. */
export function joinPieces(pieces: readonly InboundMessage[]): InboundMessage | undefined {
  const [first, ...others] = pieces.toSorted((one, other) => Number(one.id) - Number(other.id));
  if (first === undefined || others.length === 0) return first;
  const all = [first, ...others];
  const quote = joinQuotes(all.flatMap((piece) => piece.quote ?? []));
  return {
    ...first,
    text: joinTexts(all.map(({ text }) => text)),
    ...(first.addressed !== undefined && { addressed: all.some(({ addressed }) => addressed === true) }),
    ...(quote !== undefined && { quote }),
    attachments: all.flatMap(({ attachments = [] }) => attachments),
  };
}

/** A forwarded album quotes with each of its pieces. */
function joinQuotes([first, ...others]: readonly Quote[]): Quote | undefined {
  if (first === undefined || others.length === 0) return first;
  return { ...first, text: joinTexts([first, ...others].map(({ text = "" }) => text)) };
}

/** What all say alike is said once. */
function joinTexts(texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== "").join("\n");
}
