import { isAdministrator, isMember } from "../chats/membership.ts";
import type { ChatMessage } from "../chats/message.ts";
import type { Room } from "../chats/room.ts";

/** Service messages: they reach every bot in the room, whatever its privacy. */
const SERVICE_FIELDS: ReadonlySet<string> = new Set([
  "new_chat_members",
  "left_chat_member",
  "new_chat_title",
  "pinned_message",
  "group_chat_created",
  "migrate_to_chat_id",
  "migrate_from_chat_id",
  "forum_topic_created",
  "forum_topic_edited",
  "forum_topic_closed",
  "forum_topic_reopened",
]);

/** Telegram never hands these to a bot as updates; they are met as a replied message only. */
const SILENT_FIELDS: ReadonlySet<string> = new Set(["supergroup_chat_created", "channel_chat_created"]);

/** What the decision needs to know of a bot. */
export interface Reader {
  readonly id: number;
  readonly username: string;
  readonly readsAllGroupMessages: boolean;
  readonly hearsOtherBots: boolean;
}

/**
 * Whether a message of a room becomes an update for a bot. In channels all posts of others do. In groups: never its
 * own; those of other bots only where it was switched on for this bot; everything for an administrator or without
 * privacy mode; else commands to it, bare commands where no other bot wrote last, mentions of it and replies to it.
 */
export function reachesBot(room: Room, message: ChatMessage, bot: Reader, isOfBot: boolean): boolean {
  const membership = room.members.get(bot.id);
  const [field = ""] = Object.keys(message.content ?? {});
  if (SILENT_FIELDS.has(field) || !isMember(membership)) return false;
  if (SERVICE_FIELDS.has(field)) return room.kind !== "channel" || isAdministrator(membership);
  if (message.authorId === bot.id) return false;
  if (room.kind === "channel") return isAdministrator(membership);
  if (isOfBot && !bot.hearsOtherBots) return false;
  if (isAdministrator(membership) || bot.readsAllGroupMessages) return true;
  return isMeantFor(room, message, bot);
}

function isMeantFor(room: Room, message: ChatMessage, bot: Reader): boolean {
  const replied = message.replyTo === undefined ? undefined : room.find(message.replyTo);
  // In a topic what answers nothing "answers" its beginning, which is no word of the bot's even where it opened the topic.
  const isBeginning = replied?.content !== undefined && "forum_topic_created" in replied.content;
  if (replied?.authorId === bot.id && !isBeginning) return true;
  const name = `@${bot.username.toLowerCase()}`;
  return message.entities.some(({ type, offset, length, user }) => {
    const words = message.text.slice(offset, offset + length).toLowerCase();
    if (type === "mention") return words === name;
    if (type === "text_mention") return typeof user === "object" && user !== null && "id" in user && user.id === bot.id;
    if (type !== "bot_command") return false;
    const isBare = !words.includes("@");
    return isBare ? room.lastBotId === undefined || room.lastBotId === bot.id : words.endsWith(name);
  });
}
