/** Whether a message is meant for the bot, and its text without the words that only say so. */
import type { BotIdentity } from "./bot-identity.ts";
import type { DiscordMessage } from "./discord-message.ts";
import { splitCode } from "./split-code.ts";

/** `MessageReferenceType.Forward` ("Message Reference Types", docs.discord.com/developers/resources/message). */
const FORWARD = 1;

const MENTION = /<@(?:!?(?<user>\d{1,20})|&(?<role>\d{1,20}))>/g;
/** A mention at the very beginning, with the comma or colon behind it. */
const CALL = /^\s{0,8}<@(?:!?(?<user>\d{1,20})|&(?<role>\d{1,20}))>[ \t]{0,8}[,:]?\s{0,8}/;

/** Whether it names the bot or its role, or answers it. What it forwards stands elsewhere and says nothing. */
export function isAddressed(message: DiscordMessage, me: BotIdentity): boolean {
  if (message.referenced_message?.author?.id === me.botId) return true;
  return splitCode(message.content ?? "").some((piece) => !piece.isCode && mentionsBot(piece.text, me));
}

export function isForward(message: DiscordMessage): boolean {
  return message.message_reference?.type === FORWARD || message.message_snapshots.length > 0;
}

/** The text without the mention that only calls the bot. It stays where nothing else is said. */
export function stripCall(text: string, me: BotIdentity): string {
  const call = CALL.exec(text);
  if (call === null || !isBot(call.groups, me)) return text;
  return text.slice(call[0].length) || text;
}

function mentionsBot(text: string, me: BotIdentity): boolean {
  return text.includes("<@") && [...text.matchAll(MENTION)].some(({ groups }) => isBot(groups, me));
}

function isBot(groups: Readonly<Record<string, string | undefined>> | undefined, me: BotIdentity): boolean {
  const { user, role } = groups ?? {};
  return user === me.botId || (role !== undefined && me.roleIds.has(role));
}
