import { type ChannelFetch, type ChannelRequest, type ChannelResponse, TransportError } from "@banyan/plugin-sdk";
import { startTimer } from "../ports/timer.ts";
import type { AnswerHead } from "./answer-head.ts";
import type { Answer } from "./answer-reader.ts";
import { AnswerStream } from "./answer-stream.ts";
import { Cancellations } from "./cancellations.ts";
import type { Connection, Exchange } from "./connection.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { formatRequestHead } from "./request-head.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_LIMIT_BYTES = 64 * 1024 * 1024;
const AFTER_CLOSE = "the client was closed before; end such work with the account's signal";

export interface Transport {
  readonly fetch: ChannelFetch;
  /** Calls under way fail, and so does every later one. */
  close(): void;
}

/**
 * `fetch` over kept connections, which knows what the common ones do not tell: whether a request that got no answer
 * had been written to the connection. It is a client of its own because node's takes more than the rest of a message.
 * Messages name the host only; a path may hold a token.
 */
export function createTransport(): Transport {
  const pools = new Map<string, ConnectionPool>();
  const cancellations = new Cancellations();
  let isClosed = false;
  const getPool = ({ protocol, hostname, port, host }: URL) => {
    const key = `${protocol}//${host}`;
    const found = pools.get(key);
    if (found !== undefined) return found;
    const isSecure = protocol === "https:";
    const name = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    const origin = { isSecure, host: name, port: port === "" ? (isSecure ? 443 : 80) : Number(port) };
    const pool = new ConnectionPool(origin);
    pools.set(key, pool);
    return pool;
  };
  return {
    fetch: async (url, request = {}) => {
      const parsed = parseTarget(url);
      if (isClosed) throw new TransportError(`${parsed.host} was called: ${AFTER_CLOSE}`, { sent: false });
      return new Call(parsed, request).run(getPool(parsed), cancellations);
    },
    close() {
      isClosed = true;
      for (const pool of pools.values()) pool.close();
    },
  };
}

function parseTarget(url: string): URL {
  const parsed = URL.parse(url);
  // Node's own error holds the text, which may hold a token.
  if (parsed === null) throw new TransportError("A URL was called: it is none", { sent: false });
  if (parsed.protocol === "http:" || parsed.protocol === "https:") return parsed;
  const wrong = `only http and https work, received ${parsed.protocol}`;
  throw new TransportError(`${parsed.host} was called: ${wrong}`, { sent: false });
}

/** One call, from its beginning to the end of its answer or its failure. */
class Call implements Exchange {
  readonly method: string;
  readonly head: string;
  readonly body: string | Uint8Array | undefined;
  readonly limitBytes: number;
  readonly stream: AnswerStream | undefined;
  connection: Connection | undefined;
  readonly #host: string;
  readonly #request: ChannelRequest;
  readonly #answer = Promise.withResolvers<ChannelResponse>();
  /** The answer is whole, or will never be. */
  readonly #ended = Promise.withResolvers<void>();
  #isSent = false;

  constructor(url: URL, request: ChannelRequest) {
    const { method = "GET", body, limitBytes = DEFAULT_LIMIT_BYTES } = request;
    this.#host = url.host;
    this.#request = request;
    this.method = method;
    this.body = body;
    this.limitBytes = limitBytes;
    this.stream = request.isStreamed === true ? this.#createStream() : undefined;
    const head = formatRequestHead(url, { ...request, method });
    if (head === undefined) throw this.#build("its method or a header holds what no header may hold");
    this.head = head;
  }

  run(pool: ConnectionPool, cancellations: Cancellations): Promise<ChannelResponse> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#request;
    if (signal?.aborted) throw this.#build("the call was cancelled");
    const giveUp = (what: string, cause?: unknown) => {
      this.onFailure(what, cause);
      pool.giveUp(this);
    };
    const cancel = () => giveUp("the call was cancelled", signal?.reason);
    if (signal !== undefined) cancellations.add(signal, cancel);
    const cancelTimer = startTimer(timeoutMs, () => giveUp(`no answer within ${timeoutMs} ms`));
    void this.#ended.promise.then(() => {
      cancelTimer();
      if (signal !== undefined) cancellations.delete(signal, cancel);
    });
    pool.send(this);
    return this.#answer.promise;
  }

  onSent(): void {
    this.#isSent = true;
  }

  onAnswer(answer: Answer): void {
    if (this.stream === undefined) this.#answer.resolve(buildResponse(answer));
    this.#ended.resolve();
  }

  onFailure(what: string, cause?: unknown): void {
    const error = this.#build(what, cause);
    this.#answer.reject(error);
    this.stream?.fail(error);
    this.#ended.resolve();
  }

  #createStream(): AnswerStream {
    const stream: AnswerStream = new AnswerStream({
      onHead: (head) => this.#answer.resolve(buildStreamed(head, stream.readable)),
      resume: () => this.connection?.resume(),
      cancel: () => {
        this.connection?.destroy();
        this.#ended.resolve();
      },
    });
    return stream;
  }

  #build(what: string, cause?: unknown): TransportError {
    return new TransportError(`${this.#host} was called: ${what}`, { sent: this.#isSent, cause });
  }
}

/** The body is there once, for whoever reads it first. */
function buildStreamed({ status, headers }: AnswerHead, body: ReadableStream<Uint8Array>): ChannelResponse {
  const whole = async () => {
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    return Buffer.concat(parts);
  };
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    body,
    text: async () => (await whole()).toString("utf8"),
    json: async () => JSON.parse((await whole()).toString("utf8")),
    bytes: whole,
  };
}

/** A web `Response` would cost more than the rest of the call. */
function buildResponse({ status, headers, body }: Answer): ChannelResponse {
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    text: async () => body.toString("utf8"),
    json: async () => JSON.parse(body.toString("utf8")),
    bytes: async () => body,
  };
}
