import { buildMedia, type Media, takesCaption } from "../chats/media.ts";
import type { WireFields } from "../chats/message.ts";
import type { MessageLog } from "../chats/message-log.ts";
import { buildQuote } from "../methods/reply-target.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import type { Entity } from "../text/entity.ts";
import { CAPTION_LIMIT_UNITS, parseFormattedText } from "../text/formatted-text.ts";

/** What a person wrote, in a private chat or in a room. */
export interface PersonLine {
  readonly text: string;
  readonly entities?: readonly Entity[];
  readonly replyTo?: number;
  readonly quote?: string;
  readonly media?: Media;
  /** Lines of one album have one; what it is called is the test's. */
  readonly album?: string;
}

/** The part of a message's draft that its line decides. */
export interface PersonDraft {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly replyTo?: number;
  readonly content?: WireFields;
  readonly extra?: WireFields;
}

/** What an app would not send either is a mistake of the test. */
export function parsePersonLine(platform: Platform, log: MessageLog, line: PersonLine): PersonDraft {
  const { replyTo, quote, media, album } = line;
  const replied = replyTo === undefined ? undefined : log.find(replyTo);
  if (replyTo !== undefined && replied === undefined) {
    throw new EmulatorError("unknown_message", `replying to message ${replyTo}: the chat has no such message`);
  }
  const wireQuote = quote === undefined ? undefined : buildQuote(replied?.text ?? "", quote);
  if (quote !== undefined && wireQuote === undefined) {
    throw new EmulatorError(
      "invalid_request",
      `quoting ${JSON.stringify(quote)}: the replied message has no such words`,
    );
  }
  return {
    ...parseWords(platform, line, media),
    ...(replyTo !== undefined && { replyTo }),
    ...(media !== undefined && { content: buildMedia(media, platform.files) }),
    ...((wireQuote !== undefined || album !== undefined) && {
      extra: { ...(wireQuote && { quote: wireQuote }), ...(album !== undefined && { media_group_id: album }) },
    }),
  };
}

/** The text of an edit; a message with media keeps it and changes its caption. */
export function parseWords(
  platform: Platform,
  line: Pick<PersonLine, "text" | "entities">,
  media?: Media,
): { readonly text: string; readonly entities: readonly Entity[] } {
  if (media !== undefined && line.text === "") return { text: "", entities: [] };
  const shown = JSON.stringify(line.text.slice(0, 80));
  if (media !== undefined && (!takesCaption(media) || line.text.length > CAPTION_LIMIT_UNITS)) {
    throw new EmulatorError("invalid_request", `saying ${shown}: a ${media.kind} takes no such caption`);
  }
  const entities = line.entities?.map((entity) => nameMentioned(platform, entity));
  const formatted = parseFormattedText({ text: line.text, parseMode: undefined, entities });
  if (formatted.ok) return formatted;
  throw new EmulatorError("invalid_request", `saying ${shown}: ${formatted.description}`);
}

/** Who is mentioned without a username is given by id, and shown to bots in full. */
function nameMentioned(platform: Platform, entity: Entity): Entity {
  const { user } = entity;
  if (entity.type !== "text_mention" || typeof user !== "object" || user === null || !("id" in user)) return entity;
  return { ...entity, user: platform.getAccount(Number(user.id)) };
}
