import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { type ChannelFetch, type ChannelRequest, type ChannelResponse, TransportError } from "@banyan/plugin-sdk";
import { startTimer } from "../ports/timer.ts";
import { readAnswer } from "./transport-answer.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_LIMIT_BYTES = 64 * 1024 * 1024;
const MOST_SOCKETS = 512;
const IDLE_SOCKET_MS = 30_000;

export interface Transport {
  readonly fetch: ChannelFetch;
  close(): void;
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/**
 * `fetch` over kept connections, which knows what the common ones do not tell: whether a request that got no answer
 * had been written to the connection. Messages name the host only; a path may hold a token.
 */
export function createTransport(): Transport {
  const options = { keepAlive: true, maxSockets: MOST_SOCKETS, timeout: IDLE_SOCKET_MS, noDelay: true };
  const agents: Agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return {
    fetch: async (url, request = {}) => {
      const parsed = URL.parse(url);
      // Node's own error holds the text, which may hold a token.
      if (parsed === null) throw new TransportError("A URL was called: it is none", { sent: false });
      return send(parsed, request, agents);
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function send(url: URL, request: ChannelRequest, agents: Agents): Promise<ChannelResponse> {
  const { host } = url;
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TransportError(`${host} was called: only http and https work, received ${url.protocol}`, { sent: false });
  }
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS, limitBytes = DEFAULT_LIMIT_BYTES } = request;
  if (signal?.aborted) throw new TransportError(`${host} was called: the call was cancelled`, { sent: false });
  const call = openCall(url, request, agents);
  let isSent = false;
  call.once("socket", (socket) => {
    // A kept connection can die under the request; only one that never connected is certain.
    if (!socket.connecting) isSent = true;
    else {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => {
        isSent = true;
      });
    }
  });
  const answer = Promise.withResolvers<ChannelResponse>();
  const fail = (what: string, cause?: unknown) => {
    answer.reject(new TransportError(`${host} was called: ${what}`, { sent: isSent, cause }));
    call.destroy();
  };
  const cancel = () => fail("the call was cancelled", signal?.reason);
  signal?.addEventListener("abort", cancel, { once: true });
  const cancelTimer = startTimer(timeoutMs, () => fail(`no answer within ${timeoutMs} ms`));
  call.once("error", (error) => fail(formatNodeError(error), error));
  call.once("response", (incoming) => readAnswer(incoming, limitBytes, answer.resolve, fail));
  call.end(request.body);
  try {
    return await answer.promise;
  } finally {
    cancelTimer();
    signal?.removeEventListener("abort", cancel);
  }
}

function openCall(url: URL, { method = "GET", headers = {}, body }: ChannelRequest, agents: Agents): ClientRequest {
  const isSecure = url.protocol === "https:";
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const options: RequestOptions = {
    host,
    port: url.port === "" ? (isSecure ? 443 : 80) : url.port,
    path: url.pathname + url.search,
    method,
    headers: { ...headers, ...length },
    agent: isSecure ? agents.https : agents.http,
  };
  if (!isSecure) return httpRequest(options);
  // The name for TLS is never an address.
  return httpsRequest({ ...options, servername: isIP(host) === 0 ? host : "" });
}

/** The code alone: node's own message may hold the address that was called. */
function formatNodeError(error: Error): string {
  return "code" in error && typeof error.code === "string"
    ? `the connection failed (${error.code})`
    : "the connection failed";
}
