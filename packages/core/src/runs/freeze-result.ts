/** No result is longer, in bytes of UTF-8, its notice included. */
export const RESULT_LIMIT_BYTES = 102_400;
const NOTICE_ROOM_BYTES = 100;

/** A run's result as it is kept for ever. What is too long is cut behind a whole character, and says so. */
export function freezeResult(text: string): string {
  const result = text.trim().toWellFormed();
  // No character takes more than three bytes of each of its units.
  if (result.length * 3 <= RESULT_LIMIT_BYTES) return result;
  const bytes = new TextEncoder().encode(result);
  if (bytes.length <= RESULT_LIMIT_BYTES) return result;
  let end = RESULT_LIMIT_BYTES - NOTICE_ROOM_BYTES;
  // A byte of the form 10xxxxxx goes on with a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const kept = new TextDecoder().decode(bytes.subarray(0, end));
  return `${kept}\n\n… (cut: the result was ${bytes.length} bytes long, the limit is ${RESULT_LIMIT_BYTES})`;
}
