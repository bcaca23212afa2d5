import type { FilesCapability, OutboundFile } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";
import { type Bot, InputFile } from "grammy/web";
import type { RenderedMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import { type MarkedText, writeMarked } from "./marked-text.ts";

const MIB = 1024 * 1024;

/** 50 MB for a file ("Sending files") and 1024 units for its caption ("sendDocument", core.telegram.org/bots/api). */
export const FILES: FilesCapability = { limitBytes: 50 * MIB, captionLimit: 1024 };
/** 10 MB for a photo ("Sending files"): a larger one goes as a document. */
const PHOTO_LIMIT_BYTES: number = 10 * MIB;
const PHOTO = /\.(?:jpe?g|png)$/i;
/** What Telegram says of a photo that is none, whose sides are too long, or where photos alone are not allowed. */
const NO_PHOTO = /PHOTO_|IMAGE_|SEND_PHOTOS|send photos/;

interface Place {
  readonly message_thread_id?: number;
  readonly reply_parameters?: { message_id: number; allow_sending_without_reply: boolean };
}

export interface FileSending {
  readonly file: OutboundFile;
  readonly caption: RenderedMarkdown;
  readonly place: Place;
  /** Sends what does not fit into the caption, as a message after the file. */
  readonly goOn: (marked: MarkedText) => Promise<Message>;
}

/**
 * A file with its caption: a photo where Telegram takes it as one, else a document. Resolves with the last message.
 * Rejects with what the call threw, as `writeMarked`.
 */
export async function sendFile(
  bot: Bot,
  chatId: number,
  { file, caption, place, goOn }: FileSending,
): Promise<Message> {
  const given = new InputFile(await file.read(), file.name);
  const send = (kind: "sendPhoto" | "sendDocument"): Promise<Message> =>
    writeMarked<Message>(
      caption,
      ({ text, entities }, { isFirst }) =>
        isFirst
          ? bot.api[kind](chatId, given, {
              ...place,
              ...(text !== "" && { caption: text }),
              ...(entities !== undefined && { caption_entities: entities }),
            })
          : goOn({ text }),
      { overflow: "continue", limitUnits: FILES.captionLimit },
    );
  if (!PHOTO.test(file.name) || file.sizeBytes > PHOTO_LIMIT_BYTES) return send("sendDocument");
  try {
    return await send("sendPhoto");
  } catch (error) {
    // Refused for not being a photo, so nothing was sent and the document is still the first message.
    if (!isNoPhoto(error)) throw error;
    return send("sendDocument");
  }
}

function isNoPhoto(error: unknown): boolean {
  const { row, what } = classifyTelegramError(error);
  return row === "T47" || ((row === "4xx" || row === "T17") && NO_PHOTO.test(what));
}
