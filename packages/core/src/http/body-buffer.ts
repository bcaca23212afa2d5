/** Enough for the second of two packets, and for a thousand of the smallest chunks. */
const LEAST_BYTES = 4_096;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * The bytes of a body as they come. Parts are copied together: kept one by one, the smallest would each take a hundred
 * times what they hold. A body that comes in one part, as most do, is not copied.
 */
export class BodyBuffer {
  #bytes: Buffer = NOTHING;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The part must not change afterwards. */
  add(part: Buffer): void {
    const before = this.#size;
    this.#size += part.length;
    if (before === 0) {
      this.#bytes = part;
      return;
    }
    if (this.#size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#size, LEAST_BYTES));
      this.#bytes.copy(larger, 0, 0, before);
      this.#bytes = larger;
    }
    part.copy(this.#bytes, before);
  }

  /** The whole. Nothing may be added afterwards. */
  take(): Buffer {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size);
  }
}
