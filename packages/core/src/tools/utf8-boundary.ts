const CONTINUATION_MASK = 0b1100_0000;
const CONTINUATION = 0b1000_0000;
/** The longest character of UTF-8. */
const CHARACTER_LIMIT_BYTES = 4;

/**
 * The largest length up to `length` at which no character of `bytes` is cut in two. Bytes that are no UTF-8 are cut
 * where they are.
 */
export function findUtf8Boundary(bytes: Uint8Array, length: number): number {
  for (let start = length - 1; start >= 0 && length - start <= CHARACTER_LIMIT_BYTES; start -= 1) {
    const byte = bytes[start] ?? 0;
    if ((byte & CONTINUATION_MASK) === CONTINUATION) continue;
    return start + characterLengthOf(byte) > length ? start : length;
  }
  return length;
}

function characterLengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
