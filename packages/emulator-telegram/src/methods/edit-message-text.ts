import { z } from "zod";
import { entitySchema } from "../text/entity.ts";
import { parseFormattedText } from "../text/formatted-text.ts";
import { editMessage, readEditTarget } from "./edit-message.ts";
import type { Method } from "./method.ts";

const entitiesSchema = z.array(entitySchema);

export const editMessageText: Method = (call) => {
  const { read } = call;
  const target = readEditTarget(read);
  const text = read.text("text");
  const parseMode = read.text("parse_mode");
  const entities = read.json("entities", entitiesSchema, "MessageEntity");
  read.ignore("link_preview_options");
  read.lack("rich_message");
  return editMessage(call, {
    target,
    parseWords: () => parseFormattedText({ text, parseMode, entities }),
    findLack: ({ content }) => (content === undefined ? undefined : "there is no text in the message to edit"),
  });
};
