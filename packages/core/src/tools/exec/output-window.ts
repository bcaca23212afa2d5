import { findUtf8Boundary } from "../utf8-boundary.ts";

/** Output that may be endless: its beginning and its end are kept, and how much was between them. */
export class OutputWindow {
  readonly #headLimitBytes: number;
  readonly #tailLimitBytes: number;
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  /** Half of the limit is for the beginning. Memory never holds more than the limit and one piece. */
  constructor(limitBytes: number) {
    this.#headLimitBytes = Math.ceil(limitBytes / 2);
    this.#tailLimitBytes = Math.max(0, limitBytes - this.#headLimitBytes);
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  add(piece: Buffer): void {
    this.#totalBytes += piece.length;
    const room = this.#headLimitBytes - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, room)]);
    const rest = piece.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    // A copy: the piece may be a small part of a large buffer.
    this.#tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - this.#tailLimitBytes))));
    this.#tailBytes += Math.min(rest.length, this.#tailLimitBytes);
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= this.#tailLimitBytes && this.#tail.length > 1)
      this.#tailBytes -= this.#tail.shift()?.length ?? 0;
  }

  /** The text, with a line where something is left out. Bytes that are no UTF-8 are shown as replacement characters. */
  format(): string {
    const whole = Buffer.concat(this.#tail);
    const tail = whole.subarray(Math.max(0, whole.length - this.#tailLimitBytes));
    const left = this.#totalBytes - this.#head.length - tail.length;
    if (left <= 0) return Buffer.concat([this.#head, tail]).toString("utf8");
    const head = this.#head.subarray(0, findUtf8Boundary(this.#head, this.#head.length));
    return `${head.toString("utf8")}\n[left out here: ${left} of ${this.#totalBytes} bytes]\n${cutStart(tail).toString("utf8")}`;
  }
}

/** Begins with a whole character. */
function cutStart(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  return bytes.subarray(Math.max(0, start));
}
