import { checkReplyMarkup } from "../parameters/reply-markup.ts";
import { readCaption } from "./caption.ts";
import type { Method } from "./method.ts";
import { sendFile } from "./send-file.ts";
import { readSendTarget } from "./sending.ts";

export const sendPhoto: Method = (call) => {
  const { read } = call;
  const target = readSendTarget(read);
  const photo = read.file("photo") ?? "";
  const caption = readCaption(read);
  read.ignore("show_caption_above_media", "has_spoiler");
  const refusal = read.refusal() ?? checkReplyMarkup(target.markup);
  return refusal ?? sendFile(call, { kind: "photo", target, given: photo, caption });
};
