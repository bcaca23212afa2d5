/** The files that came with a message, as a session keeps and shows them: what people chose in them is data. */
import type { Address, AttachmentReference, TranscriptAttachment } from "@banyan/plugin-sdk";
import { formatShownPath } from "../ports/shown-path.ts";

/** Longer names are shown by their beginning. */
const NAME_LIMIT_CHARS = 120;
/** What a media type can look like (RFC 6838, section 4.2); the sender's program writes it. */
const MIME_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/iu;
const ID = /^(\d{1,15})\.(\d{1,3})$/;

/** Which file of which lane item; unique in its session, short enough to be said. */
export interface AttachmentPlace {
  readonly itemSeq: number;
  /** Counted from 1. */
  readonly number: number;
}

function formatAttachmentId({ itemSeq, number }: AttachmentPlace): string {
  return `${itemSeq}.${number}`;
}

/** `undefined` for a text that is none. */
export function parseAttachmentId(text: string): AttachmentPlace | undefined {
  const [, itemSeq, number] = ID.exec(text) ?? [];
  return itemSeq === undefined ? undefined : { itemSeq: Number(itemSeq), number: Number(number) };
}

/** The files of a lane item, under the ids by which an agent asks for them. */
export function listAttachments(
  itemSeq: number,
  address: Address,
  files: readonly AttachmentReference[] = [],
): readonly TranscriptAttachment[] {
  return files.map((file, index) => ({ id: formatAttachmentId({ itemSeq, number: index + 1 }), address, file }));
}

/** One line: name, type, size and id. A name that could pass for more than one line or name stands as a JSON string. */
export function formatAttachment({ id, file }: TranscriptAttachment): string {
  const type = file.mimeType !== undefined && MIME_TYPE.test(file.mimeType) ? file.mimeType : undefined;
  const size = file.sizeBytes === undefined ? undefined : formatSize(file.sizeBytes);
  return `${[formatAttachmentName(file), type, size].filter((part) => part !== undefined).join(", ")} [id ${id}]`;
}

export function formatAttachmentName({ name }: Pick<AttachmentReference, "name">): string {
  if (name === undefined || name === "") return "a file";
  const shown = name.length > NAME_LIMIT_CHARS ? `${name.slice(0, NAME_LIMIT_CHARS).toWellFormed()}…` : name;
  return formatShownPath(shown);
}

function formatSize(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KiB`;
}
