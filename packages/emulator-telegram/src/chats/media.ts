import { z } from "zod";
import type { WireFields } from "./message.ts";

/** What a person sends in place of text. The files cannot be downloaded. */
export type Media =
  | { readonly kind: "photo" | "voice" | "document" }
  | { readonly kind: "sticker"; readonly emoji?: string }
  | { readonly kind: "contact"; readonly phoneNumber: string; readonly firstName: string; readonly userId?: number };

export const mediaSchema: z.ZodType<Media> = z.union([
  z.strictObject({ kind: z.enum(["photo", "voice", "document"]) }),
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

/** The fields of the Bot API's Message; `serial` makes the ids of its files unlike others. */
export function buildMedia(media: Media, serial: number): WireFields {
  const file = (part: string): WireFields => ({
    file_id: `AgAD-${media.kind}-${serial}-${part}`,
    file_unique_id: `AQAD-${media.kind}-${serial}-${part}`,
    file_size: 2048,
  });
  switch (media.kind) {
    case "photo":
      return {
        photo: [
          { ...file("s"), width: 90, height: 67 },
          { ...file("x"), width: 800, height: 600 },
        ],
      };
    case "voice":
      return { voice: { ...file("v"), duration: 3, mime_type: "audio/ogg" } };
    case "document":
      return { document: { ...file("d"), file_name: "notes.pdf", mime_type: "application/pdf" } };
    case "sticker":
      return {
        sticker: {
          ...file("w"),
          type: "regular",
          width: 512,
          height: 512,
          is_animated: false,
          is_video: false,
          emoji: media.emoji ?? "👍",
        },
      };
    case "contact":
      return {
        contact: {
          phone_number: media.phoneNumber,
          first_name: media.firstName,
          ...(media.userId !== undefined && { user_id: media.userId }),
        },
      };
  }
}
