import { checkReplyMarkup } from "../parameters/reply-markup.ts";
import { readCaption } from "./caption.ts";
import type { Method } from "./method.ts";
import { sendFile } from "./send-file.ts";
import { readSendTarget } from "./sending.ts";

export const sendDocument: Method = (call) => {
  const { read } = call;
  const target = readSendTarget(read);
  const document = read.file("document") ?? "";
  const caption = readCaption(read);
  read.ignore("disable_content_type_detection");
  read.lack("thumbnail");
  const refusal = read.refusal() ?? checkReplyMarkup(target.markup);
  return refusal ?? sendFile(call, { kind: "document", target, given: document, caption });
};
