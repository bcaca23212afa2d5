import { z } from "zod";
import { refuseRequest } from "../answers/answer.ts";
import { buildMedia } from "../chats/media.ts";
import { checkReplyMarkup } from "../parameters/reply-markup.ts";
import { entitySchema } from "../text/entity.ts";
import { CAPTION_LIMIT_UNITS, parseFormattedText } from "../text/formatted-text.ts";
import type { Method } from "./method.ts";
import { readSendTarget, sendContent } from "./sending.ts";

const entitiesSchema = z.array(entitySchema);

/** By address or file id, which are taken as they are; uploads are not emulated. */
export const sendPhoto: Method = (call) => {
  const { read, platform } = call;
  const target = readSendTarget(read);
  const photo = read.text("photo") ?? "";
  const caption = read.text("caption") ?? "";
  const parseMode = read.text("parse_mode");
  const entities = read.json("caption_entities", entitiesSchema, "MessageEntity");
  read.ignore("show_caption_above_media", "has_spoiler");
  const refusal = read.refusal() ?? checkReplyMarkup(target.markup);
  if (refusal !== undefined) return refusal;

  if (photo === "") return refuseRequest("there is no photo in the request");
  const words = caption.trim() === "" ? undefined : parseFormattedText({ text: caption, parseMode, entities });
  if (words?.ok === false) {
    return words.description.endsWith("message is too long") ? refuseRequest("message caption is too long") : words;
  }
  if (words !== undefined && words.text.length > CAPTION_LIMIT_UNITS) {
    return refuseRequest("message caption is too long");
  }
  const content = buildMedia({ kind: "photo" }, platform.nextSerial());
  return sendContent(call, target, { text: words?.text ?? "", entities: words?.entities ?? [], content });
};
