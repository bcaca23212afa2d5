/** A file that a bot sends: uploaded, by the id of one that is known, or by an address. */
import { type Refusal, refuseRequest } from "../answers/answer.ts";
import { buildFile, type FileMedia } from "../chats/media.ts";
import type { WireFields } from "../chats/message.ts";
import type { FileStore } from "./file-store.ts";
import type { UploadedFile } from "./upload.ts";

/** "10 MB max size for photos" (Bot API, "Sending files"). */
const PHOTO_LIMIT_BYTES = 10 * 1024 * 1024;
/** What an address is said to give: the emulator fetches nothing. */
const FETCHED: Buffer = Buffer.alloc(2048, 0x5a);

export function buildGivenFile(
  kind: FileMedia["kind"],
  given: UploadedFile | string,
  files: FileStore,
): { readonly ok: true; readonly content: WireFields } | Refusal {
  if (given === "") return refuseRequest(`there is no ${kind} in the request`);
  const file = readGiven(given, files);
  if (file === undefined) return refuseRequest("wrong remote file identifier specified: wrong string length");
  if (file.bytes.length === 0) return refuseRequest("file must be non-empty");
  if (kind === "photo" && file.bytes.length > PHOTO_LIMIT_BYTES) {
    const limit = `the maximum size is ${PHOTO_LIMIT_BYTES} bytes`;
    return refuseRequest(`file of size ${file.bytes.length} bytes is too big for a photo; ${limit}`);
  }
  return { ok: true, content: buildFile({ kind, ...file }, files) };
}

interface GivenFile {
  readonly bytes: Buffer;
  readonly name?: string;
  readonly mimeType?: string;
}

function readGiven(given: UploadedFile | string, files: FileStore): GivenFile | undefined {
  if (typeof given !== "string") return given;
  if (/^https?:/.test(given)) return { bytes: FETCHED };
  const known = files.find(given);
  if (known === undefined) return undefined;
  const { bytes, name, mimeType } = known;
  return { bytes, ...(name !== undefined && { name }), ...(mimeType !== undefined && { mimeType }) };
}
