import type { IncomingMessage } from "node:http";

/** A conversation of a test is small. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/** Undefined where the body is no JSON, or too large. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of request) {
    const bytes = Buffer.from(piece);
    sizeBytes += bytes.length;
    if (sizeBytes > BODY_LIMIT_BYTES) return undefined;
    pieces.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}
