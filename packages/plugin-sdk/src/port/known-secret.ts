/** What every secret begins with that a part of the house makes for programs which it does not trust. Of no other word. */
const MARK = "banyan-secret-";
/** Also the beginning of one, as a text leaves it that was cut: from 48 bits on. */
const SHAPE: RegExp = /banyan-secret-[A-Za-z0-9_-]{8,}/g;

/**
 * A secret that is known by its shape, so that it is scrubbed wherever it is said, in any process and behind any restart, and
 * is kept nowhere for that. `random`: at least 256 bits in base64url, made by the caller for this secret alone.
 */
export function buildKnownSecret(random: string): string {
  return `${MARK}${random}`;
}

/** The text with `mask` in the place of every such secret. */
export function maskKnownSecrets(text: string, mask: string): string {
  return text.includes(MARK) ? text.replaceAll(SHAPE, mask) : text;
}
