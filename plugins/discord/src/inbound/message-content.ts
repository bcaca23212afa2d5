/** What a message holds beside words. */
import type { AttachmentReference } from "@banyan/plugin-sdk";
import type { DiscordEmbed, DiscordPoll, MessageContent } from "./discord-message.ts";

/** Long lists are cut: it is the gist that counts. */
const LIST_LIMIT = 20;
/** "Message Flags", docs.discord.com/developers/resources/message. */
const IS_VOICE_MESSAGE = 1 << 13;

/** Whether somebody said, sent or showed something. Discord empties messages that the account may not read. */
export function hasContent(content: MessageContent): boolean {
  return Boolean(content.content) || content.attachments.length > 0 || describeContent(content) !== undefined;
}

/** The files stay at Discord. Their addresses end after a day, so a reference names the message: ask for it again. */
export function readAttachments(
  { attachments }: MessageContent,
  place: { readonly channelId: string; readonly messageId: string },
): readonly AttachmentReference[] {
  return attachments.map(({ id, filename, content_type: mimeType, size }) => ({
    id: `${place.channelId}/${place.messageId}/${id}`,
    ...(filename !== undefined && { name: filename }),
    ...(mimeType !== undefined && { mimeType }),
    ...(size !== undefined && { sizeBytes: size }),
  }));
}

/** In words, what is neither text nor a file; `undefined` where there is nothing of the kind. */
export function describeContent(content: MessageContent): string | undefined {
  const { sticker_items: stickers, poll, embeds, components } = content;
  const lines = [
    ...describeVoice(content),
    ...stickers.map(({ name }) => (name === undefined ? "(a sticker)" : `(a sticker: ${name})`)),
    ...(poll === undefined ? [] : [describePoll(poll)]),
    ...embeds.slice(0, LIST_LIMIT).map(describeEmbed),
  ];
  if (lines.length > 0) return lines.join("\n");
  return components.length > 0 ? "(a message of components, which cannot be read here yet)" : undefined;
}

function describeVoice({ flags = 0, attachments }: MessageContent): readonly string[] {
  if ((flags & IS_VOICE_MESSAGE) === 0) return [];
  const seconds = attachments[0]?.duration_secs;
  return [seconds === undefined ? "(a voice message)" : `(a voice message of ${Math.round(seconds)} s)`];
}

function describePoll({ question, answers }: DiscordPoll): string {
  const shown = answers.slice(0, LIST_LIMIT).map(({ poll_media: media }) => media?.text ?? "…");
  if (answers.length > LIST_LIMIT) shown.push("…");
  return `(a poll: ${[question?.text ?? "", ...shown].join("; ")})`;
}

function describeEmbed({ title, description, url }: DiscordEmbed): string {
  const parts = [title, description, url].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? "(a card)" : `(a card: ${parts.join("; ")})`;
}
