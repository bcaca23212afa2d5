import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { type ChannelFetch, type ChannelRequest, TransportError } from "@banyan/plugin-sdk";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_LIMIT_BYTES = 64 * 1024 * 1024;
const MOST_SOCKETS = 512;
const IDLE_SOCKET_MS = 30_000;
/** Answers of these kinds have no body, and a web `Response` refuses one. */
const BODILESS_STATUS: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

export interface Transport {
  readonly fetch: ChannelFetch;
  close(): void;
}

/**
 * `fetch` over kept connections, which knows what the common ones do not tell: whether a request that got no answer
 * had been written to the connection. Messages name the host only; a path may hold a token.
 */
export function createTransport(): Transport {
  const options = { keepAlive: true, maxSockets: MOST_SOCKETS, timeout: IDLE_SOCKET_MS, noDelay: true };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return {
    fetch: (url, request = {}) => send(new URL(url), request, agents),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function send(url: URL, request: ChannelRequest, agents: { http: HttpAgent; https: HttpsAgent }): Promise<Response> {
  const {
    method = "GET",
    headers = {},
    body,
    signal,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    limitBytes = DEFAULT_LIMIT_BYTES,
  } = request;
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return Promise.reject(
      new TransportError(`${url.host} was called: only http and https work, received ${url.protocol}`, { sent: false }),
    );
  }
  const isSecure = url.protocol === "https:";
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const length = bytes === undefined ? {} : { "content-length": bytes.byteLength };
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const options = { method, headers: { ...headers, ...length } };
    const call = isSecure
      ? httpsRequest(url, { ...options, agent: agents.https })
      : httpRequest(url, { ...options, agent: agents.http });
    const fail = (what: string, cause?: unknown) => {
      reject(new TransportError(`${url.host} was called: ${what}`, { sent: isConnected, cause }));
      call.destroy();
    };
    const cancel = () => fail("the call was cancelled", signal?.reason);
    if (signal?.aborted) return cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    const release = () => signal?.removeEventListener("abort", cancel);
    call.setTimeout(timeoutMs, () => fail(`no answer within ${timeoutMs} ms`));
    call.on("socket", (socket) => {
      // A kept connection can die under the request; only a fresh one that never connected is certain.
      if (!socket.connecting) isConnected = true;
      else
        socket.once(isSecure ? "secureConnect" : "connect", () => {
          isConnected = true;
        });
    });
    call.on("error", (error) => {
      release();
      fail(formatNodeError(error), error);
    });
    call.on("response", (answer) => {
      readAnswer(answer, limitBytes, fail, (response) => {
        release();
        resolve(response);
      });
    });
    call.end(bytes);
  });
}

function readAnswer(
  answer: IncomingMessage,
  limitBytes: number,
  fail: (what: string, cause?: unknown) => void,
  done: (response: Response) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  answer.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > limitBytes) fail(`the answer is over ${limitBytes} bytes`);
    else chunks.push(chunk);
  });
  answer.on("aborted", () => fail("the connection was lost in the middle of the answer"));
  answer.on("error", (error) => fail(formatNodeError(error), error));
  answer.on("end", () => {
    const status = answer.statusCode ?? 502;
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
    }
    const body = BODILESS_STATUS.has(status) ? null : Buffer.concat(chunks);
    done(new Response(body, { status: status < 200 ? 502 : status, headers }));
  });
}

/** The code alone: node's own message may hold the address that was called. */
function formatNodeError(error: Error): string {
  return "code" in error && typeof error.code === "string"
    ? `the connection failed (${error.code})`
    : "the connection failed";
}
