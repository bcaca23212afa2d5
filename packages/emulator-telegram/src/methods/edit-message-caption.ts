import { parseCaption, readCaption } from "./caption.ts";
import { editMessage, readEditTarget } from "./edit-message.ts";
import type { Method } from "./method.ts";

export const editMessageCaption: Method = (call) => {
  const { read } = call;
  const target = readEditTarget(read);
  const caption = readCaption(read);
  read.lack("show_caption_above_media");
  return editMessage(call, {
    target,
    parseWords: () => parseCaption(caption),
    findLack: ({ content }) => (content === undefined ? "there is no caption in the message to edit" : undefined),
  });
};
