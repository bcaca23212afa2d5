import { type ChannelFetch, type ChannelResponse, TransportError } from "@banyan/plugin-sdk";
import { Bot } from "grammy/web";

/** How long Telegram may hold a poll without updates. Its own cap is 50; a dead connection is noticed after this. */
export const POLL_SECONDS = 30;
/** A poll's answer may be slow on top of the wait. */
const POLL_TIMEOUT_MS = (POLL_SECONDS + 15) * 1000;
/** 50 MB over a slow line; the host gives a send up after 120 s. */
const UPLOAD_TIMEOUT_MS = 110_000;
/** grammY's own limit per call. The host's client ends a call before, and says whether it was sent. */
const GRAMMY_TIMEOUT_SECONDS = 2 * POLL_SECONDS + 60;

export interface BotClientOptions {
  readonly token: string;
  /** Without a slash at the end. */
  readonly apiBaseUrl: string;
  readonly fetch: ChannelFetch;
  /** Ends every call. */
  readonly signal: AbortSignal;
}

/** The part of a request that grammY makes and the host's client takes. */
interface ClientRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The part of a `Response` that grammY reads. */
interface ClientResponse {
  json(): Promise<unknown>;
}

/**
 * grammY over the host's HTTP client. It starts nothing: who polls or sends calls `bot.api`. It is grammY's build without
 * an HTTP client of its own: the other one loads node-fetch and its tables of domains, 20 ms and 15 MB that nobody uses.
 */
export function createBotClient(options: BotClientOptions): Bot {
  return new Bot(options.token, {
    client: {
      apiRoot: options.apiBaseUrl,
      timeoutSeconds: GRAMMY_TIMEOUT_SECONDS,
      fetch: createClientFetch(options.fetch, options.signal),
    },
  });
}

/**
 * grammY's own abort signal is left aside: it only repeats a limit that is set here.
 */
function createClientFetch(
  fetch: ChannelFetch,
  signal: AbortSignal,
): (url: string | URL, request: ClientRequest) => Promise<ClientResponse> {
  return async (url, { method = "POST", headers = {}, body }) => {
    const form = typeof body === "string" ? undefined : await collectForm(body);
    if (signal.aborted) throw new TransportError("the account is stopped", { sent: false });
    const target = String(url);
    const timeoutMs = form === undefined ? undefined : UPLOAD_TIMEOUT_MS;
    const limit = target.endsWith("/getUpdates") ? POLL_TIMEOUT_MS : timeoutMs;
    const response = await fetch(target, {
      method,
      headers,
      body: form ?? String(body),
      signal,
      ...(limit !== undefined && { timeoutMs: limit }),
    });
    return { json: () => readEnvelope(response) };
  };
}

/** grammY writes a form with files as a stream; the host's client takes it whole, with a length that is known. */
async function collectForm(body: unknown): Promise<Uint8Array> {
  if (!(body instanceof ReadableStream)) throw new TypeError("Telegram was called with neither JSON nor a form");
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** The edge where answers are checked: behind it grammY's types hold, as far as the envelope goes. */
async function readEnvelope(response: ChannelResponse): Promise<unknown> {
  const text = await response.text();
  let body: unknown;
  try {
    body = parseWireJson(text);
  } catch (cause) {
    throw new Error(`the answer (status ${response.status}) is no JSON`, { cause });
  }
  if (isEnvelope(body)) return body;
  throw new Error(`the answer (status ${response.status}) is none of the Bot API`);
}

function isEnvelope(body: unknown): boolean {
  if (typeof body !== "object" || body === null || !("ok" in body)) return false;
  if (body.ok === true) return "result" in body;
  return "error_code" in body && typeof body.error_code === "number" && "description" in body;
}

/**
 * Parses the answer of a Bot API server. Telegram leaves out absent fields ("Optional" fields); other servers send
 * `null`, which would count as a value after this edge.
 */
export function parseWireJson(text: string): unknown {
  if (!text.includes("null")) return JSON.parse(text);
  return JSON.parse(text, (key, value: unknown) => {
    // The answer to a call may be null.
    if (value === null && key !== "result") return undefined;
    // Removes the holes that deleted entries leave in a list.
    return Array.isArray(value) ? value.filter(() => true) : value;
  });
}
