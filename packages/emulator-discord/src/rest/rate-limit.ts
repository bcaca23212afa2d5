import { createHash } from "node:crypto";

/** What every bot has in a second over all routes (Rate Limits, "Global Rate Limit"; D12). */
const GLOBAL_LIMIT = 50;
const GLOBAL_WINDOW_MS = 1000;

interface Rule {
  readonly bucket: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** Customary figures: the reference names none, and asks clients to read the headers (D10). */
const DEFAULT_RULE: Rule = { bucket: "default", limit: 10, windowMs: 5000 };
const RULES: Readonly<Record<string, Rule>> = {
  "POST /channels/:channel/messages": { bucket: "create-message", limit: 5, windowMs: 5000 },
  "PATCH /channels/:channel/messages/:message": { bucket: "edit-message", limit: 5, windowMs: 5000 },
  "DELETE /channels/:channel/messages/:message": { bucket: "delete-message", limit: 5, windowMs: 1000 },
  "POST /channels/:channel/typing": { bucket: "typing", limit: 5, windowMs: 5000 },
  "POST /channels/:channel/messages/:message/threads": { bucket: "create-thread", limit: 5, windowMs: 10_000 },
  "POST /channels/:channel/threads": { bucket: "create-thread", limit: 5, windowMs: 10_000 },
  "PATCH /channels/:channel": { bucket: "edit-channel", limit: 5, windowMs: 10_000 },
  "PUT /channels/:channel/messages/:message/reactions/:emoji/@me": { bucket: "react", limit: 1, windowMs: 250 },
};

/** Beyond it all begin anew, so that a long bench does not fill the memory. */
const WINDOW_LIMIT = 100_000;

interface Window {
  startMs: number;
  count: number;
}

export interface Pace {
  readonly headers: Readonly<Record<string, string>>;
  /** Set where the call must wait. */
  readonly wait?: { readonly retryAfterMs: number; readonly scope: "user" | "global" };
}

/** Buckets by bot, route and major parameter, and the global limit; fixed windows by the emulator's clock. */
export class RateLimit {
  readonly #windows = new Map<string, Window>();

  check(template: string, path: Readonly<Record<string, string>>, botId: string | undefined, nowMs: number): Pace {
    // The answers to interactions are no part of any limit.
    if (template.startsWith("POST /interactions/")) return { headers: {} };
    const total = this.#count(`${botId}`, GLOBAL_WINDOW_MS, nowMs);
    if (botId !== undefined && total.count > GLOBAL_LIMIT) {
      return { headers: {}, wait: { retryAfterMs: total.startMs + GLOBAL_WINDOW_MS - nowMs, scope: "global" } };
    }
    const { bucket, limit, windowMs } = RULES[template] ?? { ...DEFAULT_RULE, bucket: template };
    const major = path.channel ?? path.guild ?? path.webhook ?? "";
    const window = this.#count(`${botId}|${bucket}|${major}`, windowMs, nowMs);
    const leftMs = window.startMs + windowMs - nowMs;
    const headers = {
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(Math.max(0, limit - window.count)),
      "x-ratelimit-reset": ((window.startMs + windowMs) / 1000).toFixed(3),
      "x-ratelimit-reset-after": (leftMs / 1000).toFixed(3),
      "x-ratelimit-bucket": createHash("sha1").update(bucket).digest("hex").slice(0, 32),
    };
    return window.count <= limit ? { headers } : { headers, wait: { retryAfterMs: leftMs, scope: "user" } };
  }

  #count(key: string, windowMs: number, nowMs: number): Window {
    let window = this.#windows.get(key);
    if (window === undefined || nowMs - window.startMs >= windowMs) {
      if (this.#windows.size >= WINDOW_LIMIT) this.#windows.clear();
      window = { startMs: nowMs, count: 0 };
      this.#windows.set(key, window);
    }
    window.count += 1;
    return window;
  }
}
