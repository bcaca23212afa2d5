/** Whether a message is meant for the bot, and its text without the words that only say so. Offsets are UTF-16 units. */
import type { Message, MessageEntity, User } from "grammy/types";
import type { BotIdentity } from "./bot-identity.ts";
import { hasContent } from "./message-content.ts";

/** A text with its markup: what is written, or what stands under a file. */
export interface MarkedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

/** `undefined` for a message without words. */
export function readMarkedText(message: Message): MarkedText | undefined {
  if (message.text !== undefined) return { text: message.text, entities: message.entities ?? [] };
  if (message.caption === undefined) return undefined;
  return { text: message.caption, entities: message.caption_entities ?? [] };
}

/** Whether a group's message names the bot, is a command for it by name, or answers it. What it forwards says nothing. */
export function isAddressed(message: Message, me: BotIdentity): boolean {
  if (isAnswerToBot(message, me)) return true;
  const marked = message.forward_origin === undefined ? readMarkedText(message) : undefined;
  if (marked === undefined) return false;
  return marked.entities.some(
    (entity) => isMention(entity, marked.text, me) || readCommandTarget(entity, marked.text) === normalize(me.username),
  );
}

/** A command that names another bot. Without privacy mode these are heard as well. */
export function isForAnotherBot(message: Message, me: BotIdentity): boolean {
  const { text, entities } = readMarkedText(message) ?? { text: "", entities: [] };
  const first = entities.find(({ offset }) => offset === 0);
  const target = first === undefined ? undefined : readCommandTarget(first, text);
  return target !== undefined && target !== normalize(me.username);
}

/**
 * How many units of the text only call the bot: its mention at the very beginning with the comma or colon behind it.
 * 0 where nothing else is said.
 */
export function measureCall({ text, entities }: MarkedText, me: BotIdentity): number {
  const first = entities.find((entity) => entity.offset === 0 && isMention(entity, text, me));
  if (first === undefined) return 0;
  const gap = /^[ \t]{0,8}[,:]?\s{0,8}/.exec(text.slice(first.length))?.[0].length ?? 0;
  const length = first.length + gap;
  return length < text.length ? length : 0;
}

/** `/cmd@thisbot args` becomes `/cmd args`; a command for another bot stays as it is. */
export function stripBotName(text: string, username: string): string {
  if (!text.startsWith("/")) return text;
  const [command, name] = /^\/\w{1,32}@(\w{1,32})(?!\S)/.exec(text) ?? [];
  if (command === undefined || name === undefined || normalize(name) !== normalize(username)) return text;
  return command.slice(0, -name.length - 1) + text.slice(command.length);
}

/** Every message of a topic "answers" the service message that began it; that is nobody's word. */
function isAnswerToBot({ reply_to_message: answered }: Message, me: BotIdentity): boolean {
  return answered?.from?.id === me.id && hasContent(answered);
}

function isMention(entity: MessageEntity, text: string, me: BotIdentity): boolean {
  if (entity.type === "text_mention") {
    // Servers of others may leave it out.
    const { user }: { readonly user?: User } = entity;
    return user?.id === me.id;
  }
  return entity.type === "mention" && normalize(sliceEntity(entity, text)) === `@${normalize(me.username)}`;
}

/** The bot that a command names, in lower case. */
function readCommandTarget(entity: MessageEntity, text: string): string | undefined {
  if (entity.type !== "bot_command") return undefined;
  const [, name] = sliceEntity(entity, text).split("@");
  return name === undefined ? undefined : normalize(name);
}

function sliceEntity({ offset, length }: MessageEntity, text: string): string {
  return text.slice(offset, offset + length);
}

/** Names of bots are the same in any case. */
function normalize(username: string): string {
  return username.toLowerCase();
}
