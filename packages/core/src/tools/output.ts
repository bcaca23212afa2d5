/** Cuts text to a limit, between characters and never inside a secret. */
import { LONGEST_SECRET_CHARS } from "../ports/secret-scrubber.ts";

/** The longest UTF-8 form of one UTF-16 code unit. */
const BYTES_PER_CODE_UNIT = 3;

/** Cuts a result to its limit, between two characters; the notice of the cut counts in the limit. */
export function cutToolOutput(text: string, limitBytes: number): string {
  if (text.length * BYTES_PER_CODE_UNIT <= limitBytes) return text;
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= limitBytes) return text;
  const notice = `\n[cut here: the result has ${bytes.length} bytes, of which up to ${limitBytes} are shown; ask for less]`;
  const room = Math.max(0, limitBytes - Buffer.byteLength(notice));
  return bytes.subarray(0, findUtf8Boundary(bytes, room)).toString("utf8") + notice;
}

const CONTINUATION_MASK = 0b1100_0000;
const CONTINUATION = 0b1000_0000;
/** The longest character of UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/**
 * Finds the largest length up to `length` that cuts no character of `bytes`. Bytes that are not UTF-8 are cut at
 * `length`.
 */
export function findUtf8Boundary(bytes: Uint8Array, length: number): number {
  for (let start = length - 1; start >= 0 && length - start <= MAX_CHARACTER_BYTES; start -= 1) {
    const byte = bytes[start] ?? 0;
    if ((byte & CONTINUATION_MASK) === CONTINUATION) continue;
    return start + getCharacterBytes(byte) > length ? start : length;
  }
  return length;
}

function getCharacterBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

const FIRST_STEP_BYTES = 64;

/** Output that may be endless: keeps its beginning, its end and the number of bytes between them. */
export class OutputWindow {
  readonly #headLimitBytes: number;
  readonly #tailLimitBytes: number;
  readonly #scrub: (text: string) => string;
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  /**
   * Half of the limit is for the beginning. Memory never exceeds the limit, the overlaps and one piece. A secret known
   * to `scrub` is never cut where bytes are left out.
   */
  constructor(limitBytes: number, scrub: (text: string) => string = (text) => text) {
    this.#headLimitBytes = Math.ceil(limitBytes / 2);
    this.#tailLimitBytes = Math.max(0, limitBytes - this.#headLimitBytes);
    this.#scrub = scrub;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  add(piece: Buffer): void {
    this.#totalBytes += piece.length;
    const room = this.#headLimitBytes + LONGEST_SECRET_CHARS - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, room)]);
    const maxBytes = this.#tailLimitBytes + LONGEST_SECRET_CHARS;
    // A copy: the piece may be a small part of a large buffer.
    this.#tail.push(Buffer.from(piece.subarray(Math.max(0, piece.length - maxBytes))));
    this.#tailBytes += Math.min(piece.length, maxBytes);
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= maxBytes && this.#tail.length > 1)
      this.#tailBytes -= this.#tail.shift()?.length ?? 0;
  }

  /** Returns the text, with a line where bytes are left out. Bytes that are not UTF-8 become replacement characters. */
  format(): string {
    const last = Buffer.concat(this.#tail);
    const total = this.#totalBytes;
    if (total <= this.#headLimitBytes + this.#tailLimitBytes) {
      const rest = total - this.#head.length;
      return Buffer.concat([this.#head, last.subarray(last.length - rest)]).toString("utf8");
    }
    const cut = findUtf8Boundary(this.#head, this.#headLimitBytes);
    const head = this.#head.subarray(0, findUtf8Boundary(this.#head, this.#findBorder(this.#head, cut, -1)));
    const tail = cutStart(last.subarray(this.#findBorder(last, last.length - this.#tailLimitBytes, 1)));
    const left = total - head.length - tail.length;
    return `${head.toString("utf8")}\n[left out here: ${left} of ${total} bytes]\n${tail.toString("utf8")}`;
  }

  /** Finds the nearest position in a direction where a cut splits no secret. */
  #findBorder(bytes: Buffer, wanted: number, direction: 1 | -1): number {
    let at = wanted;
    for (let step = FIRST_STEP_BYTES; at > 0 && at < bytes.length && this.#isInSecret(bytes, at); step *= 2)
      at = Math.min(bytes.length, Math.max(0, at + direction * step));
    return at;
  }

  #isInSecret(bytes: Buffer, at: number): boolean {
    const before = bytes.subarray(Math.max(0, at - LONGEST_SECRET_CHARS), at).toString("latin1");
    const after = bytes.subarray(at, at + LONGEST_SECRET_CHARS).toString("latin1");
    return this.#scrub(before + after) !== this.#scrub(before) + this.#scrub(after);
  }
}

/** Removes what is left of a cut character at the beginning. */
function cutStart(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  return bytes.subarray(Math.max(0, start));
}
