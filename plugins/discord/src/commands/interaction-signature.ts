/**
 * Whether a call of the interactions' endpoint comes from Discord: an Ed25519 signature over the time and the body
 * ("Validating Security Request Headers", docs.discord.com/developers/interactions/overview).
 */
import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Older calls may be repeats by somebody who has listened; Discord itself sends at once. */
const AGE_LIMIT_MS = 5 * 60_000;
/** How far this machine's clock may be behind Discord's. */
const AHEAD_LIMIT_MS = 5_000;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

export interface SignedCall {
  /** `X-Signature-Ed25519` and `X-Signature-Timestamp`; `null` where the header is missing. */
  readonly signature: string | null;
  readonly timestamp: string | null;
  /** As it came, before anybody parsed it. */
  readonly body: Uint8Array;
}

/** The application's public key as the developer portal shows it; `undefined` for what is none. */
export function parsePublicKey(hex: string): KeyObject | undefined {
  const bytes = parseHex(hex, KEY_BYTES);
  if (bytes === undefined) return undefined;
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") }, format: "jwk" });
}

/** Total; the answer to `false` is 401, and Discord tests that it is. `now`: milliseconds since the epoch. */
export function isFromDiscord(call: SignedCall, publicKey: KeyObject, now: number): boolean {
  const signature = parseHex(call.signature ?? "", SIGNATURE_BYTES);
  const timestamp = call.timestamp ?? "";
  const message = Buffer.concat([Buffer.from(timestamp), call.body]);
  // Checked in any case, so that the time of an answer tells nothing.
  const isSigned = verify(null, message, publicKey, signature ?? Buffer.alloc(SIGNATURE_BYTES));
  return isSigned && signature !== undefined && isRecent(timestamp, now);
}

/** The time is written in seconds. */
function isRecent(timestamp: string, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const ageMs = now - Number(timestamp) * 1000;
  return ageMs <= AGE_LIMIT_MS && ageMs >= -AHEAD_LIMIT_MS;
}

function parseHex(text: string, bytes: number): Buffer | undefined {
  return text.length === bytes * 2 && /^[0-9a-f]*$/i.test(text) ? Buffer.from(text, "hex") : undefined;
}
