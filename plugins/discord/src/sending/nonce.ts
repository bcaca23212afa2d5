import { createHash } from "node:crypto";

/** Discord documentation, "Create Message": a nonce has at most 25 characters. */
const NONCE_CHARS = 24;

/**
 * The key by which Discord knows a repeat, for some minutes: the same for each attempt of one part of one delivery.
 * `purpose` keeps apart what has the same id.
 */
export function buildNonce(id: string, part: number | string): string {
  return createHash("sha256").update(`v1|${id}|${part}`).digest("base64url").slice(0, NONCE_CHARS);
}
