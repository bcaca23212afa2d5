/** What a message holds beside words. Messages that hold none of it and no words are Telegram's own: service messages. */
import type { AttachmentReference } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";

/** Long lists are cut: it is the gist that counts. */
const LIST_LIMIT = 20;

/** Whether somebody said, sent or showed something. */
export function hasContent(message: Message): boolean {
  return (
    (message.text ?? message.caption ?? describeContent(message)) !== undefined ||
    readAttachments(message) !== undefined
  );
}

/** The file of a message. It stays at Telegram; the id is the key to it. */
export function readAttachments(message: Message): readonly AttachmentReference[] | undefined {
  const file = readPhoto(message) ?? readNamedFile(message) ?? readRecording(message) ?? readSticker(message);
  return file === undefined ? undefined : [file];
}

/** In words, what is neither text nor a file; `undefined` where there is nothing of the kind. */
export function describeContent(message: Message): string | undefined {
  const { sticker, venue, location, contact, poll, checklist, dice } = message;
  if (sticker !== undefined) return sticker.emoji ?? "(a sticker)";
  if (venue !== undefined) {
    const { latitude, longitude } = venue.location;
    return `(a place: ${venue.title}, ${venue.address}; ${latitude}, ${longitude})`;
  }
  if (location !== undefined) return `(a location: ${location.latitude}, ${location.longitude})`;
  if (contact !== undefined) {
    return `(a contact: ${[contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(" ")})`;
  }
  if (poll !== undefined) return `(a poll: ${formatList(poll.question, poll.options)})`;
  if (checklist !== undefined) return `(a checklist: ${formatList(checklist.title, checklist.tasks)})`;
  if (dice !== undefined) return `(${dice.emoji}, which shows ${dice.value})`;
  return describeUnread(message);
}

function describeUnread(message: Message): string | undefined {
  if (message.game !== undefined) return `(a game: ${message.game.title})`;
  if (message.invoice !== undefined) return `(an invoice: ${message.invoice.title})`;
  if (message.story !== undefined) return "(a story, which bots cannot see)";
  if (message.paid_media !== undefined) return "(paid media, which bots cannot see)";
  if (message.giveaway !== undefined) return "(a giveaway)";
  if (message.rich_message !== undefined) return "(a rich message, which cannot be read here yet)";
  return undefined;
}

function formatList(title: string, rows: readonly { readonly text: string }[]): string {
  const shown = rows.slice(0, LIST_LIMIT).map(({ text }) => text);
  if (rows.length > LIST_LIMIT) shown.push("…");
  return [title, ...shown].join("; ");
}

/** A photo comes in several sizes; the last is the largest. */
function readPhoto({ photo, live_photo: live }: Message): AttachmentReference | undefined {
  const largest = photo?.at(-1) ?? live?.photo?.at(-1);
  return largest && buildReference(largest, "photo.jpg", "image/jpeg");
}

/** An animation comes with a document beside it, for older programs. */
function readNamedFile({ animation, audio, video, document }: Message): AttachmentReference | undefined {
  if (animation !== undefined) return buildReference(animation, animation.file_name ?? "animation.mp4", "video/mp4");
  if (audio !== undefined) return buildReference(audio, audio.file_name ?? audio.title ?? "audio");
  if (video !== undefined) return buildReference(video, video.file_name ?? "video.mp4", "video/mp4");
  return document && buildReference(document, document.file_name ?? "document");
}

function readRecording({ voice, video_note: round }: Message): AttachmentReference | undefined {
  if (voice !== undefined) return buildReference(voice, "voice.ogg", "audio/ogg");
  return round && buildReference(round, "video-message.mp4", "video/mp4");
}

function readSticker({ sticker }: Message): AttachmentReference | undefined {
  if (sticker === undefined) return undefined;
  if (sticker.is_animated) return buildReference(sticker, "sticker.tgs", "application/x-tgsticker");
  if (sticker.is_video) return buildReference(sticker, "sticker.webm", "video/webm");
  return buildReference(sticker, "sticker.webp", "image/webp");
}

interface TelegramFile {
  readonly file_id: string;
  readonly file_size?: number;
  readonly mime_type?: string;
}

function buildReference(file: TelegramFile, name: string, usualType?: string): AttachmentReference {
  const mimeType = file.mime_type ?? usualType;
  return {
    id: file.file_id,
    name,
    ...(mimeType !== undefined && { mimeType }),
    ...(file.file_size !== undefined && { sizeBytes: file.file_size }),
  };
}
