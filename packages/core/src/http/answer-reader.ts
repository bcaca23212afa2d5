/**
 * Reads one HTTP/1.1 answer (RFC 9112) off a connection, as strictly as one can with a platform whose answers decide
 * whether a message is sent again: what is not plainly an answer is none.
 */
import { type AnswerHead, findHeadEnd, parseAnswerHead } from "./answer-head.ts";
import { BodyBuffer } from "./body-buffer.ts";
import { ChunkedBody } from "./chunked-body.ts";

/** As node allows; a head may come byte by byte, so a larger one would cost its square. */
const HEAD_LIMIT_BYTES = 16 * 1024;

/** Why bytes are not the answer that is waited for; the message is a part of a sentence. */
export class AnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AnswerError";
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether another request may follow on the same connection. */
  readonly isKept: boolean;
}

/** Where the bytes of a body go. */
export interface AnswerBody {
  /** Bytes that have come. */
  readonly size: number;
  /** The head is there and holds what was asked for. */
  begin?(head: AnswerHead): void;
  /** The part must not change afterwards. */
  add(part: Buffer): void;
  /** The whole, where it is kept. Nothing is added afterwards. */
  take(): Buffer;
}

const NOTHING: Buffer = Buffer.alloc(0);

export class AnswerReader {
  readonly #limitBytes: number;
  readonly #isHead: boolean;
  #head: AnswerHead | undefined;
  /** Bytes that came before the head was whole. */
  #begun: Buffer = NOTHING;
  readonly #body: AnswerBody;
  #chunked: ChunkedBody | undefined;

  constructor(method: string, limitBytes: number, body: AnswerBody = new BodyBuffer()) {
    this.#isHead = method === "HEAD";
    this.#body = body;
    this.#limitBytes = limitBytes;
  }

  /** Whether the head has come: what is missing now is the rest of the answer. */
  get hasBegun(): boolean {
    return this.#head !== undefined;
  }

  /** Takes the next bytes; the answer when they are its last ones. Throws `AnswerError`. */
  push(bytes: Buffer): Answer | undefined {
    if (this.#head !== undefined) return this.#pushBody(this.#head, bytes);
    const all = this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes]);
    const end = findHeadEnd(all);
    if ((end?.lines ?? all.length) > HEAD_LIMIT_BYTES)
      throw new AnswerError(`the answer's head is over ${HEAD_LIMIT_BYTES} bytes`);
    if (end === undefined) {
      this.#begun = all;
      return undefined;
    }
    const head = parseAnswerHead(all.toString("latin1", 0, end.lines));
    // 101 would mean that what follows is no HTTP; nobody asks for that here.
    if (head === undefined || head.status === 101) throw new AnswerError("the answer is no HTTP");
    const rest = all.subarray(end.body);
    this.#begun = NOTHING;
    // An interim answer, such as 103: the one that counts follows.
    if (head.status < 200) return rest.length === 0 ? undefined : this.push(rest);
    this.#head = head;
    if (!this.#isBodiless(head)) {
      if (head.isChunked) this.#chunked = new ChunkedBody();
      if (head.length !== undefined) this.#checkSize(head.length);
    }
    this.#body.begin?.(head);
    return this.#pushBody(head, rest);
  }

  /** The other side ended the connection: that is the end of an answer that said no length. */
  end(): Answer | undefined {
    const head = this.#head;
    if (head === undefined || head.isChunked || head.length !== undefined) return undefined;
    return this.#build(head, false);
  }

  #isBodiless({ status }: AnswerHead): boolean {
    return this.#isHead || status === 204 || status === 304;
  }

  #pushBody(head: AnswerHead, bytes: Buffer): Answer | undefined {
    if (this.#isBodiless(head)) return this.#build(head, bytes.length === 0 && !isContradictory(head));
    if (this.#chunked !== undefined) return this.#pushChunked(head, this.#chunked, bytes);
    const missing = (head.length ?? Number.POSITIVE_INFINITY) - this.#body.size;
    this.#add(bytes.length > missing ? bytes.subarray(0, missing) : bytes);
    // What comes behind the end was not asked for: whose answer it is nobody knows.
    return bytes.length < missing ? undefined : this.#build(head, bytes.length === missing);
  }

  #pushChunked(head: AnswerHead, chunked: ChunkedBody, bytes: Buffer): Answer | undefined {
    const end = chunked.push(bytes, (data) => this.#add(data));
    if (end === "wrong") throw new AnswerError("the answer is no HTTP");
    return end === "more" ? undefined : this.#build(head, end === "ended");
  }

  #add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#checkSize(this.#body.size + bytes.length);
    this.#body.add(bytes);
  }

  #checkSize(bytes: number): void {
    if (bytes > this.#limitBytes) throw new AnswerError(`the answer is over ${this.#limitBytes} bytes`);
  }

  #build({ status, headers, isKept }: AnswerHead, isClean: boolean): Answer {
    return { status, headers, body: this.#body.take(), isKept: isKept && isClean };
  }
}

/** A 204 that announces a body: who errs in that may send it, too, and it would be taken for the next answer. */
function isContradictory({ status, isChunked, length = 0 }: AnswerHead): boolean {
  return status === 204 && (isChunked || length > 0);
}
