/** The files of the service: their bytes, their ids, and the links by which they are fetched. */
import { extname } from "node:path";

/** getFile: "the link is valid for at least 1 hour"; here for no longer (Bot API, "getFile"). */
const LINK_LIFE_MS = 60 * 60 * 1000;
/** "Bots can download files of up to 20MB in size" (Bot API, "getFile"). */
export const DOWNLOAD_LIMIT_BYTES: number = 20 * 1024 * 1024;

/** What is told of a new file. */
export interface NewFile {
  /** Stands in its id and its path, as in `documents/file_3.txt`. */
  readonly folder: string;
  readonly bytes: Buffer;
  readonly name?: string;
  readonly mimeType?: string;
  /** Of a file that is only said to be so large. */
  readonly sizeBytes?: number;
}

export interface StoredFile extends NewFile {
  readonly fileId: string;
  readonly uniqueId: string;
  readonly sizeBytes: number;
  readonly path: string;
}

export class FileStore {
  readonly #byId = new Map<string, StoredFile>();
  readonly #byPath = new Map<string, { readonly file: StoredFile; readonly untilMs: number }>();
  #lastSerial = 0;

  add(file: NewFile): StoredFile {
    this.#lastSerial += 1;
    const serial = this.#lastSerial;
    const stored: StoredFile = {
      ...file,
      fileId: `AgAD-${file.folder}-${serial}`,
      uniqueId: `AQAD-${file.folder}-${serial}`,
      sizeBytes: file.sizeBytes ?? file.bytes.length,
      path: `${file.folder}/file_${serial}${extname(file.name ?? "")}`,
    };
    this.#byId.set(stored.fileId, stored);
    return stored;
  }

  find(fileId: string): StoredFile | undefined {
    return this.#byId.get(fileId);
  }

  /** From now on, and for an hour, its path is a link. */
  openLink(file: StoredFile, nowMs: number): void {
    this.#byPath.set(file.path, { file, untilMs: nowMs + LINK_LIFE_MS });
  }

  /** The file behind a link that is still good. */
  findByLink(path: string, nowMs: number): StoredFile | undefined {
    const link = this.#byPath.get(path);
    return link !== undefined && nowMs < link.untilMs ? link.file : undefined;
  }
}
