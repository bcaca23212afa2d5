import type { Answer } from "../answers/answer.ts";
import type { FileMedia } from "../chats/media.ts";
import { buildGivenFile } from "../files/given-file.ts";
import type { UploadedFile } from "../files/upload.ts";
import { type CaptionParameters, parseCaption } from "./caption.ts";
import type { Call } from "./method.ts";
import { type SendTarget, sendContent } from "./sending.ts";

export interface FileToSend {
  readonly kind: FileMedia["kind"];
  readonly target: SendTarget;
  readonly given: UploadedFile | string;
  readonly caption: CaptionParameters;
}

/** What the methods that send one file have in common. */
export function sendFile(call: Call, { kind, target, given, caption }: FileToSend): Answer {
  const words = parseCaption(caption);
  if (!words.ok) return words;
  const file = buildGivenFile(kind, given, call.platform.files);
  if (!file.ok) return file;
  return sendContent(call, target, { text: words.text, entities: words.entities, content: file.content });
}
