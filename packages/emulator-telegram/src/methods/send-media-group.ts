import { z } from "zod";
import { type Answer, accept, type Refusal, refuseRequest } from "../answers/answer.ts";
import type { FileMedia } from "../chats/media.ts";
import { buildGivenFile } from "../files/given-file.ts";
import type { UploadedFile } from "../files/upload.ts";
import { type CaptionParameters, entitiesSchema, parseCaption } from "./caption.ts";
import type { Call, Method } from "./method.ts";
import { readSendTarget, type SendContent, type SendTarget, sendContent } from "./sending.ts";

interface InputMedia {
  readonly type: Exclude<FileMedia["kind"], "voice">;
  readonly media: string;
  readonly caption?: string | undefined;
  readonly parse_mode?: string | undefined;
  readonly caption_entities?: CaptionParameters["entities"];
}

const inputMedia: z.ZodType<readonly InputMedia[]> = z.array(
  z.looseObject({
    type: z.enum(["photo", "video", "audio", "document"]),
    media: z.string(),
    caption: z.string().optional(),
    parse_mode: z.string().optional(),
    caption_entities: entitiesSchema.optional(),
  }),
);

/** "2-10 items in an album"; documents and audio stand only among their like (Bot API, "sendMediaGroup"). */
const LEAST = 2;
const MOST = 10;

export const sendMediaGroup: Method = (call) => {
  const { read } = call;
  const target = readSendTarget(read);
  const media = read.json("media", inputMedia, "InputMedia") ?? [];
  const given = media.map((each) => read.attached(each.media));
  const refusal = read.refusal() ?? checkAlbum(media);
  if (refusal !== undefined) return refusal;

  const contents: SendContent[] = [];
  for (const [index, each] of media.entries()) {
    const content = buildContent(call, each, given[index] ?? "");
    if ("ok" in content) return content;
    contents.push(content);
  }
  return sendAll(call, target, contents);
};

function checkAlbum(media: readonly InputMedia[]): Refusal | undefined {
  if (media.length < LEAST) return refuseRequest("there are not enough messages to send as an album");
  if (media.length > MOST) return refuseRequest("too many messages to send as an album");
  const kinds = new Set(media.map(({ type }) => type));
  const isMixed = kinds.size > 1 && (kinds.has("document") || kinds.has("audio"));
  return isMixed ? refuseRequest("can't be mixed with other media types") : undefined;
}

function buildContent(call: Call, media: InputMedia, given: UploadedFile | string): SendContent | Refusal {
  const { caption = "", parse_mode: parseMode, caption_entities: entities } = media;
  const words = parseCaption({ caption, parseMode, entities });
  if (!words.ok) return words;
  const file = buildGivenFile(media.type, given, call.platform.files);
  return file.ok ? { text: words.text, entities: words.entities, content: file.content } : file;
}

/** All or none: what stands in the way of one stands in the way of the first. */
function sendAll(call: Call, target: SendTarget, contents: readonly SendContent[]): Answer {
  const album = { media_group_id: call.platform.nextAlbumId() };
  const sent: unknown[] = [];
  for (const content of contents) {
    const answer = sendContent(call, target, { ...content, content: { ...content.content, ...album } });
    if (!answer.ok) return answer;
    sent.push(answer.result);
  }
  return accept(sent);
}
