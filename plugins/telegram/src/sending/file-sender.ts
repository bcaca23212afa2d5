import type { FilesCapability, OutboundFile } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";
import { type Bot, InputFile } from "grammy/web";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";

const MIB = 1024 * 1024;

/** "50 MB max size for other types of files" ("Sending files") and 1024 for a caption ("sendDocument", core.telegram.org/bots/api). */
export const FILES: FilesCapability = { limitBytes: 50 * MIB, captionLimit: 1024 };
/** "10 MB max size for photos" ("Sending files"): a larger one goes as a document. */
const PHOTO_LIMIT_BYTES: number = 10 * MIB;
const PHOTO = /\.(?:jpe?g|png)$/i;

interface Place {
  readonly message_thread_id?: number;
  readonly reply_parameters?: { message_id: number; allow_sending_without_reply: boolean };
}

/**
 * A file with its caption: a photo where Telegram takes it as one, else a document. What is refused for its markup or for
 * not being a photo was not sent, so the next form of it is still the first message.
 */
export async function sendFile(
  bot: Bot,
  chatId: number | string,
  file: OutboundFile,
  markdown: string,
  place: Place,
): Promise<Message> {
  const bytes = await file.read();
  const { text: caption, entities } = renderMarkdown(markdown);
  const send = (kind: "photo" | "document", isMarked: boolean): Promise<Message> => {
    const given = new InputFile(bytes, file.name);
    const words = isMarked ? { caption, caption_entities: entities } : { ...(caption !== "" && { caption }) };
    return kind === "photo"
      ? bot.api.sendPhoto(chatId, given, { ...place, ...words })
      : bot.api.sendDocument(chatId, given, { ...place, ...words });
  };
  const isPhoto = PHOTO.test(file.name) && file.sizeBytes <= PHOTO_LIMIT_BYTES;
  const forms: readonly (readonly ["photo" | "document", boolean])[] = [
    ...(isPhoto ? [["photo", entities.length > 0] as const] : []),
    ["document", entities.length > 0],
    ...(entities.length > 0 ? [["document", false] as const] : []),
  ];
  for (const [index, [kind, isMarked]] of forms.entries()) {
    try {
      return await send(kind, isMarked);
    } catch (error) {
      if (index === forms.length - 1 || !mayHelp(error, kind)) throw error;
    }
  }
  throw new Error("A file was sent: there was no form of it");
}

/** Whether another form of the same file may be taken. */
function mayHelp(error: unknown, kind: "photo" | "document"): boolean {
  const fault = classifyTelegramError(error);
  if (fault.class === "bad_markup") return true;
  return kind === "photo" && (fault.row === "T47" || (fault.row === "4xx" && /PHOTO_|IMAGE_/.test(fault.what)));
}
