/** The body of an answer as it comes: who reads slowly slows the platform down, and memory holds a few packets at most. */
import type { AnswerHead } from "./answer-head.ts";
import type { AnswerBody } from "./answer-reader.ts";

/** What is read ahead of the reader: enough for a few packets. */
const READ_AHEAD_BYTES = 256 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);

export interface AnswerStreamParts {
  /** The head is there: from now on the answer is this stream. Called at most once. */
  readonly onHead: (head: AnswerHead) => void;
  /** The reader has room again. */
  readonly resume: () => void;
  /** The reader wants no more of it. */
  readonly cancel: () => void;
}

export class AnswerStream implements AnswerBody {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #parts: AnswerStreamParts;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #size = 0;

  constructor(parts: AnswerStreamParts) {
    this.#parts = parts;
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => parts.resume(),
        cancel: () => {
          this.#controller = undefined;
          parts.cancel();
        },
      },
      { highWaterMark: READ_AHEAD_BYTES, size: (chunk) => chunk.byteLength },
    );
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the connection is to wait for the reader. */
  get isFull(): boolean {
    return (this.#controller?.desiredSize ?? 1) <= 0;
  }

  begin(head: AnswerHead): void {
    this.#parts.onHead(head);
  }

  /** The part must not change afterwards. */
  add(part: Buffer): void {
    this.#size += part.length;
    if (part.length > 0) this.#controller?.enqueue(part);
  }

  /** All of it has come; what is read is read from the stream. */
  take(): Buffer {
    this.#controller?.close();
    this.#controller = undefined;
    return NOTHING;
  }

  fail(error: Error): void {
    this.#controller?.error(error);
    this.#controller = undefined;
  }
}
