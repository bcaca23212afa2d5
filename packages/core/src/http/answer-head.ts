/** What the first lines of an answer say. */
export interface AnswerHead {
  readonly status: number;
  /** By lower-case name; values of one name are joined. */
  readonly headers: ReadonlyMap<string, string>;
  /** `undefined`: it was not said, and the body goes on to the end of the connection unless it is chunked. */
  readonly length: number | undefined;
  readonly isChunked: boolean;
  /** Whether the connection may be used again. */
  readonly isKept: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LENGTH = /^\d{1,15}$/;
/** What would end a line for one reader and not for another. */
const STRAY = /[\0\n\r]/;
const END = Buffer.from("\r\n\r\n");

/** Where the lines end and where the body begins; `undefined` while the head is not whole. */
export function findHeadEnd(bytes: Buffer): { readonly lines: number; readonly body: number } | undefined {
  const lines = bytes.indexOf(END);
  return lines < 0 ? undefined : { lines, body: lines + END.length };
}

/** `undefined` for what is no head of an HTTP/1 answer. */
export function parseAnswerHead(text: string): AnswerHead | undefined {
  const lines = text.split("\r\n");
  const [, minor, status] = STATUS_LINE.exec(lines[0] ?? "") ?? [];
  if (status === undefined) return undefined;
  const headers = new Map<string, string>();
  for (let at = 1; at < lines.length; at += 1) if (!readField(lines[at] ?? "", headers)) return undefined;
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  const isChunked = coding === "chunked";
  if (coding !== undefined && !isChunked) return undefined;
  const said = headers.get("content-length");
  const length = said === undefined ? undefined : parseLength(said);
  if (said !== undefined && (isChunked || length === undefined)) return undefined;
  const connection = headers.get("connection")?.toLowerCase();
  const isKept = minor === "1" ? !hasWord(connection, "close") : hasWord(connection, "keep-alive");
  // Without an end of its own the body ends with the connection; a bare 204 is judged by who reads it.
  return { status: Number(status), headers, length, isChunked, isKept };
}

function readField(line: string, headers: Map<string, string>): boolean {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon)).toLowerCase();
  if (!FIELD_NAME.test(name)) return false;
  const value = line.slice(colon + 1).trim();
  if (STRAY.test(value)) return false;
  const before = headers.get(name);
  headers.set(name, before === undefined ? value : `${before}, ${value}`);
  return true;
}

/** Said twice alike it is one length (RFC 9110, section 8.6). */
function parseLength(text: string): number | undefined {
  if (LENGTH.test(text)) return Number(text);
  const [first = "", ...more] = text.split(",").map((each) => each.trim());
  return LENGTH.test(first) && more.every((each) => each === first) ? Number(first) : undefined;
}

function hasWord(list: string | undefined, word: string): boolean {
  if (list === undefined || list === word) return list === word;
  return list.split(",").some((each) => each.trim() === word);
}
