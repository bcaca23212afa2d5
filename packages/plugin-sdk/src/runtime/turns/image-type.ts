/** What a picture is by its first bytes; the sender's word for it may be wrong. The kinds that OpenAI and Anthropic both take. */
const SIGNATURES: readonly (readonly [mediaType: string, start: number, bytes: string])[] = [
  ["image/png", 0, "\u0089PNG\r\n\u001a\n"],
  ["image/jpeg", 0, "\u00ff\u00d8\u00ff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
];

/** Undefined for what is none of them. Pure. */
export function findImageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return SIGNATURES.find(([, start, sign]) => head.startsWith(sign, start))?.[0];
}
