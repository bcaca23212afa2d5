import type { Ports } from "../ports/ports.ts";

/** Digits and letters without I, L, O and U: those are misread, or make words. */
const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_CHARS = 8;
const HALF_CHARS = CODE_CHARS / 2;

/** Eight of 32 symbols, 40 bits: what a person reads off one screen and types into another. */
export function createOneTimeCode(ports: Pick<Ports, "randomBytes">): string {
  // 256 is a multiple of 32, so no symbol is likelier than another.
  return Array.from(ports.randomBytes(CODE_CHARS), (byte) => SYMBOLS.charAt(byte % SYMBOLS.length)).join("");
}

/** As it is shown: `7KQ2-MXPA`. */
export function formatOneTimeCode(code: string): string {
  return `${code.slice(0, HALF_CHARS)}-${code.slice(HALF_CHARS)}`;
}

/** The code that somebody typed: any case, with or without the dash, O for 0 and I or L for 1. */
export function parseOneTimeCode(text: string): string | undefined {
  const folded = text.trim().toUpperCase().replace(/[-\s]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return folded.length === CODE_CHARS && [...folded].every((symbol) => SYMBOLS.includes(symbol)) ? folded : undefined;
}
