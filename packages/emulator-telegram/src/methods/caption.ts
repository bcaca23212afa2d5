import { z } from "zod";
import { type Refusal, refuseRequest } from "../answers/answer.ts";
import type { ParameterReader } from "../parameters/parameter-reader.ts";
import { type Entity, entitySchema } from "../text/entity.ts";
import { CAPTION_LIMIT_UNITS, type FormattedText, parseFormattedText } from "../text/formatted-text.ts";

export const entitiesSchema: z.ZodType<Entity[]> = z.array(entitySchema);

export interface CaptionParameters {
  readonly caption: string;
  readonly parseMode: string | undefined;
  readonly entities: readonly Entity[] | undefined;
}

export function readCaption(read: ParameterReader): CaptionParameters {
  return {
    caption: read.text("caption") ?? "",
    parseMode: read.text("parse_mode"),
    entities: read.json("caption_entities", entitiesSchema, "MessageEntity"),
  };
}

/** The words of a caption, or why they are none. */
export function parseCaption({ caption, parseMode, entities }: CaptionParameters): Refusal | FormattedText {
  if (caption.trim() === "") return { ok: true, text: "", entities: [] };
  const words = parseFormattedText({ text: caption, parseMode, entities });
  const isTooLong = words.ok ? words.text.length > CAPTION_LIMIT_UNITS : words.description.endsWith("is too long");
  return isTooLong ? refuseRequest("message caption is too long") : words;
}
