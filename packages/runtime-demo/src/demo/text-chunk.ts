/** Chunks of about this many characters make an answer that visibly grows. */
const CHUNK_CHARS = 64;

/** Cuts a text after white space into chunks that join to it; a word longer than a chunk stays whole. */
export function splitIntoChunks(text: string): string[] {
  const chunks: string[] = [];
  let chunk = "";
  for (const word of text.match(/\S+\s*|\s+/gu) ?? []) {
    if (chunk !== "" && chunk.length + word.length > CHUNK_CHARS) {
      chunks.push(chunk);
      chunk = "";
    }
    chunk += word;
  }
  if (chunk !== "") chunks.push(chunk);
  return chunks;
}
