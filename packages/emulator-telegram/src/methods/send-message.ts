import { z } from "zod";
import { checkReplyMarkup } from "../parameters/reply-markup.ts";
import { entitySchema } from "../text/entity.ts";
import { parseFormattedText } from "../text/formatted-text.ts";
import type { Method } from "./method.ts";
import { readSendTarget, sendContent } from "./sending.ts";

const entitiesSchema = z.array(entitySchema);

export const sendMessage: Method = (call) => {
  const { read } = call;
  const target = readSendTarget(read);
  const text = read.text("text");
  const parseMode = read.text("parse_mode");
  const entities = read.json("entities", entitiesSchema, "MessageEntity");
  read.ignore("link_preview_options");
  const refusal = read.refusal() ?? checkReplyMarkup(target.markup);
  if (refusal !== undefined) return refusal;

  const formatted = parseFormattedText({ text, parseMode, entities });
  return formatted.ok ? sendContent(call, target, formatted) : formatted;
};
