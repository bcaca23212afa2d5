/** Replies of 401, 403 and 429 that an address may bring about (Rate Limits, "Invalid Request Limit"; D13). */
export const INVALID_LIMIT = 10_000 as const;
const WINDOW_MS = 10 * 60_000;

/** Counts what is refused of an address; beyond the limit the edge of the network answers by itself for a while. */
export class InvalidRequestLimit {
  #startMs = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** A 429 of a shared resource is nobody's fault and does not count (D11). */
  count(status: number, scope: string | undefined, nowMs: number): void {
    if (status !== 401 && status !== 403 && (status !== 429 || scope === "shared")) return;
    if (nowMs - this.#startMs >= WINDOW_MS) {
      this.#startMs = nowMs;
      this.#count = 0;
    }
    this.#count += 1;
  }

  isReached(nowMs: number): boolean {
    return this.#count >= INVALID_LIMIT && nowMs - this.#startMs < WINDOW_MS;
  }
}

/** What the edge answers then: a page, as it is made for people. */
export const BANNED_PAGE: string =
  "<!DOCTYPE html>\n<html><head><title>Access denied</title></head><body><h1>Error 1015</h1><p>You are being rate limited.</p></body></html>";
