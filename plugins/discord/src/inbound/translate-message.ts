/** One message of Discord in the words of the contract. Pure; decides nothing that is the core's. */
import type { AttachmentReference, InboundMessage } from "@banyan/plugin-sdk";
import { readSnowflakeTime } from "../snowflake.ts";
import type { BotIdentity } from "./bot-identity.ts";
import type { DiscordMessage, DiscordUser } from "./discord-message.ts";
import { isAddressed, isForward, stripCall } from "./mention.ts";
import { describeContent, hasContent, readAttachments } from "./message-content.ts";
import { formatPlaceAddress, type MessagePlace, readGuild } from "./message-place.ts";
import { readSender } from "./message-sender.ts";
import { readQuote } from "./quote.ts";
import { formatReadableText } from "./readable-text.ts";

/** Why a message is nothing for anybody. `no_content`: Discord kept its content from the account. */
export type IgnoredMessage =
  | "system_message"
  | "own_message"
  | "no_author"
  | "no_content"
  | "partial_update"
  | "not_edited";

export type TranslatedMessage =
  | { readonly kind: "message"; readonly message: InboundMessage }
  | { readonly kind: "ignored"; readonly why: IgnoredMessage };

export interface MessageContext {
  readonly me: BotIdentity;
  readonly place: MessagePlace;
  /** It came as MESSAGE_UPDATE. */
  readonly isUpdate?: boolean;
}

/** What people write: a message, a reply, and what answers a command or an entry of a menu ("Message Types"). */
const SPOKEN_TYPES: ReadonlySet<number> = new Set([0, 19, 20, 23]);

/** A forwarded text is somebody else's, so it is no word of the sender; it stands in the quote. */
const FORWARDED = "(forwarded message)";

export function translateMessage(message: DiscordMessage, context: MessageContext): TranslatedMessage {
  const { me, isUpdate = false } = context;
  const why = decideIgnored(message, isUpdate, me);
  if (why !== undefined) return { kind: "ignored", why };
  if (message.author === undefined) return { kind: "ignored", why: "no_author" };
  return { kind: "message", message: buildMessage(message, message.author, context) };
}

function decideIgnored(message: DiscordMessage, isUpdate: boolean, me: BotIdentity): IgnoredMessage | undefined {
  const { author, content, type = 0, edited_timestamp: editedAt } = message;
  if (isUpdate) {
    if (author === undefined || content === undefined) return "partial_update";
    // A card that was found for a link is news for nobody.
    if (editedAt === undefined || Number.isNaN(Date.parse(editedAt))) return "not_edited";
  }
  if (author === undefined) return "no_author";
  // The bot's own webhooks are the bot, too.
  if (author.id === me.botId || isOwnWebhook(message, me)) return "own_message";
  if (!SPOKEN_TYPES.has(type)) return "system_message";
  if (!isForward(message) && !hasContent(message)) return "no_content";
  return undefined;
}

function isOwnWebhook(
  { webhook_id: webhookId, application_id: applicationId }: DiscordMessage,
  me: BotIdentity,
): boolean {
  return webhookId !== undefined && applicationId === me.applicationId;
}

function buildMessage(message: DiscordMessage, author: DiscordUser, context: MessageContext): InboundMessage {
  const { me, place, isUpdate = false } = context;
  const guild = readGuild(place);
  const quote = readQuote(message);
  const attachments = listAttachments(message);
  const isProgram = message.webhook_id !== undefined;
  return {
    id: message.id,
    address: formatPlaceAddress(me.account, place),
    ...(guild !== undefined && { guild, addressed: isAddressed(message, me) }),
    sender: readSender(author, guild === undefined ? undefined : message.member, isProgram),
    text: readText(message, me),
    at: readSnowflakeTime(message.id),
    ...(isUpdate && { editedAt: Date.parse(message.edited_timestamp ?? "") }),
    ...(quote !== undefined && { quote }),
    ...(attachments.length > 0 && { attachments }),
  };
}

function readText(message: DiscordMessage, me: BotIdentity): string {
  if (!message.content) return isForward(message) ? FORWARDED : (describeContent(message) ?? "");
  return formatReadableText(stripCall(message.content, me), message);
}

/** A forwarded file hangs on the message that forwards it. */
function listAttachments(message: DiscordMessage): readonly AttachmentReference[] {
  const where = { channelId: message.channel_id, messageId: message.id };
  const contents = [message, ...message.message_snapshots.map((snapshot) => snapshot.message)];
  return contents.flatMap((content) => readAttachments(content, where));
}
