import { z } from "zod";
import type { FileStore, StoredFile } from "../files/file-store.ts";
import type { WireFields } from "./message.ts";

/** A file that a person sends; what is left out is made up. */
export interface FileMedia {
  readonly kind: "photo" | "voice" | "document" | "audio" | "video";
  readonly name?: string;
  readonly mimeType?: string;
  /** In base64. */
  readonly content?: string;
  /** A larger size than the content has, for what is too large to be held. */
  readonly sizeBytes?: number;
}

/** What a person sends in place of text. */
export type Media =
  | FileMedia
  | { readonly kind: "sticker"; readonly emoji?: string }
  | { readonly kind: "contact"; readonly phoneNumber: string; readonly firstName: string; readonly userId?: number };

export const mediaSchema: z.ZodType<Media> = z.union([
  z.strictObject({
    kind: z.enum(["photo", "voice", "document", "audio", "video"]),
    name: z.string().exactOptional(),
    mimeType: z.string().exactOptional(),
    content: z.base64().exactOptional(),
    sizeBytes: z.int().min(0).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("sticker"), emoji: z.string().exactOptional() }),
  z.strictObject({
    kind: z.literal("contact"),
    phoneNumber: z.string(),
    firstName: z.string(),
    userId: z.int().exactOptional(),
  }),
]);

/** Which media take a caption in Telegram's apps. */
export function takesCaption({ kind }: Media): boolean {
  return kind !== "sticker" && kind !== "contact";
}

/** Bytes that nobody gave. */
const SAMPLE: Buffer = Buffer.alloc(2048, "\xff\xd8\0", "latin1");

/** The fields of the Bot API's Message; files go into the store. */
export function buildMedia(media: Media, files: FileStore): WireFields {
  switch (media.kind) {
    case "sticker": {
      const file = describeFile(files.add({ folder: "stickers", bytes: SAMPLE, name: "sticker.webp" }));
      const emoji = media.emoji ?? "👍";
      const look = { type: "regular", width: 512, height: 512, is_animated: false, is_video: false, emoji };
      return { sticker: { ...file, ...look } };
    }
    case "contact":
      return {
        contact: {
          phone_number: media.phoneNumber,
          first_name: media.firstName,
          ...(media.userId !== undefined && { user_id: media.userId }),
        },
      };
    default: {
      const { content, ...rest } = media;
      return buildFile({ ...rest, bytes: content === undefined ? SAMPLE : Buffer.from(content, "base64") }, files);
    }
  }
}

export interface FileParts extends Omit<FileMedia, "content"> {
  readonly bytes: Buffer;
}

/** A message's file, and what its kind says of it. */
export function buildFile({ kind, bytes, name, mimeType, sizeBytes }: FileParts, files: FileStore): WireFields {
  const add = (folder: string, usualName: string): StoredFile =>
    files.add({ folder, bytes, name: name ?? usualName, ...(sizeBytes !== undefined && { sizeBytes }) });
  const named = (usualName: string, usualType: string) => ({
    file_name: name ?? usualName,
    mime_type: mimeType ?? usualType,
  });
  switch (kind) {
    case "photo": {
      const small = files.add({ folder: "thumbnails", bytes: SAMPLE, name: "photo.jpg" });
      const sizes = [
        { ...describeFile(small), width: 90, height: 67 },
        { ...describeFile(add("photos", "photo.jpg")), width: 800, height: 600 },
      ];
      return { photo: sizes };
    }
    case "voice":
      return { voice: { ...describeFile(add("voice", "voice.oga")), duration: 3, mime_type: mimeType ?? "audio/ogg" } };
    case "audio":
      return {
        audio: { ...describeFile(add("music", "song.mp3")), duration: 3, ...named("song.mp3", "audio/mpeg") },
      };
    case "video": {
      const size = { width: 320, height: 240, duration: 3 };
      return { video: { ...describeFile(add("videos", "video.mp4")), ...size, ...named("video.mp4", "video/mp4") } };
    }
    case "document":
      return { document: { ...describeFile(add("documents", "notes.pdf")), ...named("notes.pdf", "application/pdf") } };
  }
}

function describeFile({ fileId, uniqueId, sizeBytes }: StoredFile): WireFields {
  return { file_id: fileId, file_unique_id: uniqueId, file_size: sizeBytes };
}
