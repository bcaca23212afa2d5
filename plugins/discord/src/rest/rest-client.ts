import { type ChannelFetch, type Log, TransportError } from "@banyan/plugin-sdk";
import { REST, type RESTOptions } from "discord.js";
import { type DiscordConfig, isPlatform } from "../discord-config.ts";
import { readLimit } from "./limit-refusal.ts";
import { buildResponse } from "./response.ts";

/** Discord documentation, "Rate Limits": 50 requests a second for a bot, whatever the route. */
const PLATFORM_REQUESTS_PER_SECOND = 50;
/** A wait that is longer is told to the host, which lets other chats go on and shows it to the operator. */
const LONGEST_WAIT_MS = 5_000;
/** Discord documentation, "Rate Limits": 401, 403 and 429 within ten minutes, by which Cloudflare bars an address. */
const MOST_REFUSALS = 10_000;
const WARN_EVERY_REFUSALS = 500;
/** The host's client ends a call before, and says whether it was sent. */
const LIBRARY_TIMEOUT_MS = 120_000;

export interface RestClientOptions {
  readonly config: Pick<DiscordConfig, "token" | "apiBaseUrl">;
  readonly fetch: ChannelFetch;
  /** Ends every call. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** discord.js' REST manager over the host's HTTP client: its queues and rate limits, none of its repeats. */
export function createRestClient({ config, fetch, signal, log }: RestClientOptions): REST {
  const rest = new REST({
    version: "10",
    api: config.apiBaseUrl,
    makeRequest: createRequester(fetch, signal),
    // Whether a call may be made again is the host's to decide.
    retries: 0,
    timeout: LIBRARY_TIMEOUT_MS,
    globalRequestsPerSecond: isPlatform(config) ? PLATFORM_REQUESTS_PER_SECOND : Number.POSITIVE_INFINITY,
    rejectOnRateLimit: ({ timeToReset, retryAfter }) => Math.max(timeToReset, retryAfter) > LONGEST_WAIT_MS,
    invalidRequestWarningInterval: WARN_EVERY_REFUSALS,
  }).setToken(config.token);
  rest.on("invalidRequestWarning", ({ count }) =>
    log.warn(
      { count },
      `Discord has refused ${count} calls within ten minutes, and bars the network at ${MOST_REFUSALS}`,
    ),
  );
  return rest;
}

/** Ends its timers. */
export function closeRestClient(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}

function createRequester(fetch: ChannelFetch, signal: AbortSignal): RESTOptions["makeRequest"] {
  return async (url, { method = "GET", headers, body }) => {
    if (signal.aborted) throw new TransportError("the account is stopped", { sent: false });
    const sent = await readBody(body);
    const answer = await fetch(url, {
      method,
      headers: { ...readHeaders(headers), ...sent.headers },
      signal,
      ...(sent.body !== undefined && { body: sent.body }),
    });
    return buildResponse(answer.status === 429 ? await readLimit(answer) : answer);
  };
}

interface SentBody {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** JSON as it is, and a form with files as bytes, with the boundary between its parts in a header. */
async function readBody(body: unknown): Promise<SentBody> {
  if (body === undefined || body === null) return {};
  if (typeof body === "string") return { body };
  if (!(body instanceof FormData)) throw new TypeError("Discord was called with neither JSON nor a form");
  // Nothing is called: the web's own request is what writes a form.
  const form = new Request("https://discord.invalid", { method: "POST", body });
  const type = form.headers.get("content-type") ?? "";
  return { headers: { "content-type": type }, body: new Uint8Array(await form.arrayBuffer()) };
}

/** discord.js gives a plain record. */
function readHeaders(headers: object = {}): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") read[name] = value;
  return read;
}
