import { findUtf8Boundary } from "./utf8-boundary.ts";

/** No character of UTF-16 takes more in UTF-8. */
const BYTES_PER_CODE_UNIT = 3;

/** Cuts a result to its limit, between two characters; a notice stands where it was cut and counts in the limit. */
export function cutToolOutput(text: string, limitBytes: number): string {
  if (text.length * BYTES_PER_CODE_UNIT <= limitBytes) return text;
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= limitBytes) return text;
  const notice = `\n[cut here: the result has ${bytes.length} bytes, of which up to ${limitBytes} are shown; ask for less]`;
  const room = Math.max(0, limitBytes - Buffer.byteLength(notice));
  return bytes.subarray(0, findUtf8Boundary(bytes, room)).toString("utf8") + notice;
}
