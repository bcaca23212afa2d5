/** RFC 4648, lower case: what a name may hold. */
const SYMBOLS = "abcdefghijklmnopqrstuvwxyz234567";
const NAME_CHARS = 16;

/** A name for somebody who linked his accounts himself: `p` and 80 bits, so that it never meets another one. */
export function createPersonName({ randomBytes }: { randomBytes(count: number): Uint8Array }): string {
  // 256 is a multiple of 32, so no symbol is likelier than another.
  return `p${Array.from(randomBytes(NAME_CHARS), (byte) => SYMBOLS.charAt(byte % SYMBOLS.length)).join("")}`;
}
