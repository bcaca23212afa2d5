import type { Address, ChannelContext } from "@banyan/plugin-sdk";
import { formatAddress } from "@banyan/plugin-sdk";
import { readRequestBody } from "@banyan/plugin-sdk/kit";
import type { Context } from "hono";
import { Hono } from "hono/tiny";
import type { Arrivals } from "./arrivals.ts";
import {
  BODY_LIMIT_BYTES,
  describeLargeText,
  type HistoryQuery,
  parseEventQuery,
  parseHistoryQuery,
  parseNewMessage,
} from "./chat-request.ts";
import type { GrowingAnswers } from "./growing-answers.ts";
import type { ReaderList } from "./reader-list.ts";

/** Time for a body of 6 MiB over a poor line. */
const BODY_TIMEOUT_MS = 30_000;
/** When a caller may try again while the store takes nothing, in seconds. */
const RETRY_AFTER_S = "2";
/** Asked from the start, history gives as much as it can. */
const FROM_START_LIMIT = 1_000;

export interface WebchatApiParts {
  readonly path: string;
  readonly context: ChannelContext<unknown>;
  readonly readers: ReaderList;
  readonly answers: GrowingAnswers;
  readonly arrivals: Arrivals;
  readonly createId: () => string;
}

/** The API below `path`. The caller has checked who asks. */
export function createWebchatApi(parts: WebchatApiParts): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(parts.path);
  app.post("/messages", (http) => postMessage(http, parts));
  app.get("/messages", (http) => listMessages(http, parts));
  app.get("/events", (http) => openEvents(http, parts));
  app.all("/messages", (http) =>
    http.json({ error: "Messages are read by GET and written by POST" }, 405, { allow: "GET, POST" }),
  );
  app.all("/events", (http) => http.json({ error: "Events are read by GET" }, 405, { allow: "GET" }));
  app.notFound((http) => http.json({ error: `The web chat has nothing at ${http.req.path}` }, 404));
  app.onError((error, http) => {
    parts.context.log.error({ err: error, path: http.req.path }, "a request to the web chat failed");
    return http.json({ error: "The request failed; the gateway's log says why" }, 500);
  });
  return async (request) => app.fetch(request);
}

async function postMessage(http: Context, parts: WebchatApiParts): Promise<Response> {
  const { clock } = parts.context;
  const body = await readRequestBody(http.req.raw, { limitBytes: BODY_LIMIT_BYTES, timeoutMs: BODY_TIMEOUT_MS, clock });
  if (body.status === "too_large") return http.json({ error: describeLargeText() }, 413);
  if (body.status === "too_slow") {
    // What comes of it later is nobody's request.
    return http.json({ error: "A message was posted: its body did not come in time" }, 408, { connection: "close" });
  }
  if (body.status === "broken_off") return http.json({ error: "A message was posted: its body broke off" }, 400);
  const parsed = parseNewMessage(body.bytes);
  if (parsed.status !== "ok") return http.json({ error: parsed.error }, parsed.status === "too_large" ? 413 : 400);
  const { peer, text, id = parts.createId() } = parsed.value;
  const outcome = await receive({ peer, text, id }, parts);
  if (outcome === "unavailable") {
    const error = "A message was posted: it could not be stored just now; send it again under the same id";
    return http.json({ error, id }, 503, { "retry-after": RETRY_AFTER_S });
  }
  if (outcome === "refused") {
    const error =
      "A message was posted: the conversation does not take it now; its last line says why. Send it again later under a new id";
    return http.json({ error, id }, 429);
  }
  return http.json({ id }, 202);
}

/** Stores one message, then shows it to every reader. */
async function receive(message: { peer: string; text: string; id: string }, parts: WebchatApiParts) {
  const { peer, text, id } = message;
  const { context, readers, arrivals } = parts;
  const at = context.clock.now();
  const inbound = { id, address: buildAddress(peer, context), sender: { id: peer }, text, at };
  try {
    return await arrivals.follow(peer, async () => {
      const [outcome] = await context.receive([inbound]);
      if (outcome === "stored") readers.tell(peer, { type: "message", id, role: "user", kind: "message", text, at });
      return outcome;
    });
  } catch (error) {
    context.log.warn({ err: error, peer, id }, "a message to the web chat was not stored");
    return "unavailable";
  }
}

async function listMessages(http: Context, parts: WebchatApiParts): Promise<Response> {
  const parsed = parseHistoryQuery(http.req.query());
  if (parsed.status !== "ok") return http.json({ error: parsed.error }, 400);
  const query = parsed.value;
  try {
    const messages = await parts.context.history(buildHistoryRequest(query, parts));
    return http.json({ messages: messages.map(({ id, role, kind, text, at }) => ({ id, role, kind, text, at })) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const unknown = `${JSON.stringify(query.after)} is no id of a message of ${query.peer}`;
    return http.json({ error: `Messages were asked for: ${unknown}; omit after to get the newest messages` }, 400);
  }
}

function buildHistoryRequest({ peer, after, limit }: HistoryQuery, { context }: WebchatApiParts) {
  const address = buildAddress(peer, context);
  if (after === undefined) return { address, limit: limit ?? FROM_START_LIMIT };
  return limit === undefined ? { address, after } : { address, after, limit };
}

function openEvents(http: Context, { readers, answers }: WebchatApiParts): Response {
  const parsed = parseEventQuery(http.req.query());
  if (parsed.status !== "ok") return http.json({ error: parsed.error }, 400);
  const { peer } = parsed.value;
  const body = readers.open(peer, answers.list(peer));
  if (body === undefined) {
    const error = "Events were asked for: too many readers are connected; close a tab or a terminal";
    return http.json({ error }, 503, { "retry-after": RETRY_AFTER_S });
  }
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

function buildAddress(peer: string, { account }: ChannelContext<unknown>): Address {
  return formatAddress({ channel: "webchat", account, kind: "dm", chat: peer });
}
