/** Updates that Telegram posts: secret → body → line → 200 once they are stored. */
import type { ChannelHttp, Clock, Log } from "@banyan/plugin-sdk";
import { type BodyRead, pause, readRequestBody } from "@banyan/plugin-sdk/kit";
import type { Update } from "grammy/types";
import { parseWireJson } from "../bot-client.ts";
import { isSecret, type WebhookPlace } from "./webhook-place.ts";

export interface WebhookEndpointOptions {
  readonly http: ChannelHttp;
  readonly place: WebhookPlace;
  /** Resolves when the update is stored. */
  readonly take: (update: Update) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The largest updates, long texts with all their markup, are a fraction of it. */
const BODY_LIMIT_BYTES = 1024 * 1024;
const BODY_TIMEOUT_MS = 10_000;
/** Proxies give up after 30 to 60 s; Telegram then has no answer, and this one says when to come again. */
const ANSWER_TIMEOUT_MS = 25_000;
const RETRY_AFTER_SECONDS = "2";
/** "setWebhook", core.telegram.org/bots/api. A 401 names it, because HTTP requires that. */
const SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token";

/** Serves the account's path until the disposer is called. */
export function mountWebhook(options: WebhookEndpointOptions): () => void {
  return options.http.mount(options.place.path, (request) => serve(request, options), { access: "open" });
}

async function serve(request: Request, options: WebhookEndpointOptions): Promise<Response> {
  const { place, clock, log } = options;
  if (!isSecret(request.headers.get(SECRET_HEADER), place.secret))
    return new Response("wrong secret", { status: 401, headers: { "www-authenticate": SECRET_HEADER } });
  if (request.method !== "POST") return new Response("POST only", { status: 405, headers: { allow: "POST" } });
  const read = await readRequestBody(request, { limitBytes: BODY_LIMIT_BYTES, timeoutMs: BODY_TIMEOUT_MS, clock });
  if (read.status !== "read") return refuseBody(read.status);
  const update = parseUpdate(new TextDecoder().decode(read.bytes));
  if (update === undefined) {
    log.warn({}, "what was posted to Telegram's webhook with its secret is no update; it is refused");
    return new Response("no update", { status: 400 });
  }
  return (await takeInTime(update, options))
    ? new Response(null, { status: 200 })
    : new Response("not stored", { status: 503, headers: { "retry-after": RETRY_AFTER_SECONDS } });
}

/** What is stored too late comes again, and is known then. */
async function takeInTime(update: Update, { take, clock, signal }: WebhookEndpointOptions): Promise<boolean> {
  const waiting = new AbortController();
  const late = pause(clock, ANSWER_TIMEOUT_MS, AbortSignal.any([signal, waiting.signal])).then(() => false);
  const stored = take(update).then(
    () => true,
    // Told where it failed.
    () => false,
  );
  const isStored = await Promise.race([stored, late]);
  waiting.abort();
  return isStored;
}

/** The edge where posts are checked: behind it grammY's type holds, as far as the id goes. */
function parseUpdate(text: string): Update | undefined {
  let body: unknown;
  try {
    body = parseWireJson(text);
  } catch {
    // No JSON is no update.
    return undefined;
  }
  return isUpdate(body) ? body : undefined;
}

function isUpdate(body: unknown): body is Update {
  return typeof body === "object" && body !== null && "update_id" in body && Number.isSafeInteger(body.update_id);
}

function refuseBody(why: Exclude<BodyRead["status"], "read">): Response {
  switch (why) {
    case "too_large":
      return new Response("too large", { status: 413 });
    case "too_slow":
      // What comes of it later is nobody's update.
      return new Response("too slow", { status: 408, headers: { connection: "close" } });
    case "broken_off":
      return new Response("broken off", { status: 400 });
  }
}
