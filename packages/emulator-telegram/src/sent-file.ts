/** Files in the hands of people: what they send, and what a bot has sent them. */
import type { FileMedia } from "./chats/media.ts";
import type { ChatMessage } from "./chats/message.ts";
import type { Control } from "./control/control.ts";

/** A file as a test writes it. */
export interface FileSpec {
  readonly name?: string;
  readonly mimeType?: string;
  /** A text stands for its UTF-8. */
  readonly content?: string | Uint8Array;
  /** A larger size than the content has, for what is too large to be held. */
  readonly sizeBytes?: number;
}

/** A file of a bot, as somebody opens it. */
export interface HeardFile {
  readonly messageId: number;
  readonly kind: string;
  readonly name: string | undefined;
  readonly caption: string;
  readonly bytes: Buffer;
}

export function buildFileMedia(kind: FileMedia["kind"], { content, ...rest }: FileSpec): FileMedia {
  return { kind, ...rest, ...(content !== undefined && { content: Buffer.from(content).toString("base64") }) };
}

/** The file in a bot's message; `undefined` where it holds none. */
export async function openFile(control: Control, message: ChatMessage): Promise<HeardFile | undefined> {
  const [kind, value] = Object.entries(message.content ?? {})[0] ?? [];
  const file: unknown = Array.isArray(value) ? value.at(-1) : value;
  if (kind === undefined || typeof file !== "object" || file === null || !("file_id" in file)) return undefined;
  const { name, content } = await control.readFile({ fileId: String(file.file_id) });
  const { messageId, text: caption } = message;
  return { messageId, kind, name, caption, bytes: Buffer.from(content, "base64") };
}
