/**
 * Reads files that people sent, for runtimes that show them to a model. Fetches a file once, into the folder where
 * agents save files too.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { TranscriptAttachment } from "@banyan/plugin-sdk";
import { inTime, LATE } from "../../ports/in-time.ts";
import type { Ports } from "../../ports/ports.ts";
import { buildReceivedName } from "./attachment-name.ts";
import {
  type AttachmentSource,
  findReceived,
  listReceivedFolders,
  type ReceivedPlace,
  writeReceived,
} from "./received-file.ts";

/** A turn waits this long before it asks its model. */
const FETCH_TIMEOUT_MS = 30_000;
/** Different from the part of a call of the tool, which is a number. */
const PART_NAME = "shown";

export interface AttachmentReaderParts extends AttachmentSource {
  readonly ports: Pick<Ports, "clock" | "log">;
}

/** The conversation of the file, and the maximum to read. */
export interface ReadRequest {
  readonly workspaceDir: string;
  readonly sessionId: string;
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** Never rejects: `undefined` if the file is not available or larger. */
export type AttachmentReader = (
  attachment: TranscriptAttachment,
  request: ReadRequest,
) => Promise<Uint8Array | undefined>;

export function createAttachmentReader(parts: AttachmentReaderParts): AttachmentReader {
  return async (attachment, request) => {
    const { id, file } = attachment;
    const folders = listReceivedFolders(request.sessionId);
    const limitBytes = Math.min(request.limitBytes, parts.limits.limitBytes);
    if (folders === undefined || (file.sizeBytes ?? 0) > limitBytes) return undefined;
    const place = { workspaceDir: request.workspaceDir, folders, name: buildReceivedName(id, file.name) };
    try {
      const known = await findReceived(place);
      if (known === undefined && !(await fetchInTime(attachment, place, { ...request, limitBytes }, parts)))
        return undefined;
      return await readReceived(place, limitBytes);
    } catch (error) {
      parts.ports.log.warn({ err: error, attachment: id }, "a file that a person sent could not be read");
      return undefined;
    }
  };
}

/**
 * Limits the time of the account and its platform. A late download is aborted, so that it never writes into the file of
 * a later attempt.
 */
async function fetchInTime(
  attachment: TranscriptAttachment,
  place: ReceivedPlace,
  { limitBytes, signal }: Pick<ReadRequest, "limitBytes" | "signal">,
  parts: AttachmentReaderParts,
): Promise<boolean> {
  const { clock, log } = parts.ports;
  const late = new AbortController();
  const fetching = fetchFile(attachment, place, { limitBytes, signal: AbortSignal.any([signal, late.signal]) }, parts);
  const fetched = await inTime(fetching, FETCH_TIMEOUT_MS, clock, signal);
  if (fetched !== LATE) return fetched;
  late.abort(new Error(`A file was fetched: it was not there within ${FETCH_TIMEOUT_MS / 1_000} s`));
  fetching.catch((error: unknown) => log.debug({ err: error, attachment: attachment.id }, "a late file was given up"));
  log.warn({ attachment: attachment.id }, "a file that a person sent was not there in time");
  return false;
}

async function fetchFile(
  { address, file }: TranscriptAttachment,
  place: ReceivedPlace,
  { limitBytes, signal }: Pick<ReadRequest, "limitBytes" | "signal">,
  { findFiles, whenTried }: AttachmentReaderParts,
): Promise<boolean> {
  await whenTried(address);
  const files = findFiles(address);
  if (files === undefined || files === "none") return false;
  const body = await files.download(file, { limitBytes, signal });
  // Aborted here as well, in case a plugin ignores the signal.
  await writeReceived(place, body.pipeThrough(new TransformStream<Uint8Array>(), { signal }), {
    limitBytes,
    part: PART_NAME,
  });
  return true;
}

/** Refuses a link in the place of the file. */
async function readReceived({ workspaceDir, folders, name }: ReceivedPlace, limitBytes: number) {
  const path = join(workspaceDir, ...folders, name);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    return size > limitBytes ? undefined : new Uint8Array(await file.readFile());
  } finally {
    await file.close();
  }
}
