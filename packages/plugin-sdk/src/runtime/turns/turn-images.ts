import type { TranscriptAttachment, TranscriptEntry } from "../../session/transcript-entry.ts";
import type { TurnMessage } from "../agent-runtime.ts";
import { findImageType } from "./image-type.ts";
import type { LiveTurn } from "./live-turn.ts";

/** Of one request, the newest first. More say little more, and each costs as much as a page of text. */
const MOST_IMAGES = 8;
/** In Base64 this is just below the 5 MB of an image that Anthropic takes ("Vision" of its guides); OpenAI takes more. */
const IMAGE_LIMIT_BYTES = 3_750_000;

export interface SeenImage {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** By the ids of attachments. */
export type SeenImages = Pick<ReadonlyMap<string, SeenImage>, "get">;

export const NO_IMAGES: SeenImages = { get: () => undefined };

/** The pictures that a model is shown: those of the turn, then those before it. What is no picture, or too large, is only named. */
export async function readImages(
  live: Pick<LiveTurn, "input" | "waitFor">,
  history: readonly TranscriptEntry[] = [],
): Promise<SeenImages> {
  const { readAttachment, input } = live.input;
  const images = new Map<string, SeenImage>();
  if (readAttachment === undefined) return images;
  for (const attachment of listCandidates(input, history)) {
    if (images.size === MOST_IMAGES) break;
    const bytes = await live.waitFor(readAttachment(attachment, IMAGE_LIMIT_BYTES));
    const mediaType = bytes && findImageType(bytes);
    if (bytes !== undefined && mediaType !== undefined) images.set(attachment.id, { mediaType, bytes });
  }
  return images;
}

/** Those that may be pictures by what is said of them; nothing else is fetched. */
function listCandidates(
  input: readonly TurnMessage[],
  history: readonly TranscriptEntry[],
): readonly TranscriptAttachment[] {
  return [...history, ...input]
    .toReversed()
    .flatMap(({ attachments = [] }) => attachments.toReversed())
    .filter(({ file: { name = "", mimeType, sizeBytes = 0 } }) => {
      const isImage = mimeType === undefined ? /\.(?:png|jpe?g|gif|webp)$/iu.test(name) : /^image\//iu.test(mimeType);
      return isImage && sizeBytes <= IMAGE_LIMIT_BYTES;
    })
    .slice(0, MOST_IMAGES);
}
