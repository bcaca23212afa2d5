import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { type Answer, AnswerError, AnswerReader } from "./answer-reader.ts";
import type { AnswerStream } from "./answer-stream.ts";

/** Where requests go. */
export interface Origin {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
}

/** One request and who waits for its answer; exactly one of the callbacks is called. */
export interface Exchange {
  readonly method: string;
  readonly head: string;
  readonly body: string | Uint8Array | undefined;
  readonly limitBytes: number;
  /** Where the body is read as it comes. */
  readonly stream: AnswerStream | undefined;
  /** Where it is under way. */
  connection: Connection | undefined;
  /** The request is written to a connection that stands: from now on it may have been received. */
  onSent(): void;
  onAnswer(answer: Answer): void;
  onFailure(what: string, cause?: unknown): void;
}

export interface ConnectionListeners {
  /** The answer is there, and another request may follow. */
  onFree(connection: Connection): void;
  /** Nothing can follow on it. Once. */
  onGone(connection: Connection): void;
}

/** A connection to a platform: one request after the other, each when the answer before is whole. */
export class Connection {
  readonly #socket: Socket;
  readonly #listeners: ConnectionListeners;
  #isConnected = false;
  #isGone = false;
  #exchange: Exchange | undefined;
  #reader: AnswerReader | undefined;
  /** Milliseconds it may stand idle, as the platform says. */
  #keepMs: number | undefined;

  constructor(origin: Origin, listeners: ConnectionListeners) {
    this.#listeners = listeners;
    const { isSecure, host, port } = origin;
    // The name for TLS is never an address.
    this.#socket = isSecure
      ? connectSecurely({ host, port, servername: isIP(host) === 0 ? host : "", ALPNProtocols: ["http/1.1"] })
      : connect({ host, port });
    this.#socket.setNoDelay(true);
    this.#socket.once(isSecure ? "secureConnect" : "connect", () => {
      this.#isConnected = true;
      this.#exchange?.onSent();
    });
    this.#socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    this.#socket.once("end", () => this.#receiveEnd());
    this.#socket.on("error", (error) => this.#fail(formatNodeError(error), error));
    this.#socket.once("close", () => this.#fail("the connection failed (ECONNRESET)"));
  }

  get keepMs(): number | undefined {
    return this.#keepMs;
  }

  send(exchange: Exchange): void {
    const { head, body, method, limitBytes, stream } = exchange;
    this.#exchange = exchange;
    exchange.connection = this;
    this.#reader = new AnswerReader(method, limitBytes, stream);
    if (this.#isConnected) exchange.onSent();
    if (typeof body === "string" || body === undefined) {
      this.#socket.write(head + (body ?? ""), "utf8");
      return;
    }
    this.#socket.cork();
    this.#socket.write(head, "latin1");
    this.#socket.write(body);
    this.#socket.uncork();
  }

  /** Whether a process may end beside it. */
  setIdle(isIdle: boolean): void {
    if (isIdle) this.#socket.unref();
    else this.#socket.ref();
  }

  /** Who reads the answer as it comes has room again. */
  resume(): void {
    this.#socket.resume();
  }

  /** Ends it where it stands; a request under way is left to who asks for this. */
  destroy(): void {
    this.#takeExchange();
    this.#leave();
  }

  /** As `destroy`; a request under way fails. */
  close(what: string): void {
    const exchange = this.#takeExchange();
    this.#leave();
    exchange?.onFailure(what);
  }

  #receive(bytes: Buffer): void {
    const reader = this.#reader;
    // Nothing was asked: whatever this is, it is no answer.
    if (reader === undefined) {
      this.#leave();
      return;
    }
    try {
      const answer = reader.push(bytes);
      if (answer !== undefined) this.#finish(answer);
      else if (this.#exchange?.stream?.isFull) this.#socket.pause();
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      this.#fail(error.message, error);
    }
  }

  #receiveEnd(): void {
    const answer = this.#reader?.end();
    if (answer !== undefined) this.#finish(answer);
    else this.#fail("the connection failed (ECONNRESET)");
  }

  #finish(answer: Answer): void {
    const exchange = this.#takeExchange();
    this.#keepMs = readKeepMs(answer.headers.get("keep-alive"));
    // An answer before the request was wholly written: the rest of it stands before whatever would follow.
    if (!answer.isKept || this.#socket.writableLength > 0) this.#leave();
    else this.#listeners.onFree(this);
    exchange?.onAnswer(answer);
  }

  #fail(what: string, cause?: unknown): void {
    const wasAnswering = this.#reader?.hasBegun === true && !(cause instanceof AnswerError);
    const exchange = this.#takeExchange();
    this.#leave();
    exchange?.onFailure(wasAnswering ? "the connection was lost in the middle of the answer" : what, cause);
  }

  #takeExchange(): Exchange | undefined {
    const exchange = this.#exchange;
    if (exchange !== undefined) exchange.connection = undefined;
    this.#exchange = undefined;
    this.#reader = undefined;
    return exchange;
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#socket.destroy();
    this.#listeners.onGone(this);
  }
}

/** `timeout=5` of the header `Keep-Alive`, a little shorter, so that a request does not cross the other side's end. */
function readKeepMs(hint: string | undefined): number | undefined {
  const [, seconds] = /(?:^|[\s,])timeout=(\d{1,6})/.exec(hint ?? "") ?? [];
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1_000 - 1_000);
}

/** The code alone: node's own message may hold the address that was called. */
function formatNodeError(error: Error): string {
  return "code" in error && typeof error.code === "string"
    ? `the connection failed (${error.code})`
    : "the connection failed";
}
