import type { IncomingMessage, ServerResponse } from "node:http";

/** "50 MB max size for other types of files" (Bot API, "Sending files"), and what stands around it. */
const FORM_LIMIT_BYTES = 50 * 1024 * 1024 + 64 * 1024;
/** Texts are small. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/** One HTTP request and its response. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.#response = response;
  }

  /** Undefined where the body is too large or the caller is gone before its end. */
  readBody(): Promise<Buffer | undefined> {
    const { request } = this;
    const isForm = request.headers["content-type"]?.startsWith("multipart/") === true;
    const limitBytes = isForm ? FORM_LIMIT_BYTES : BODY_LIMIT_BYTES;
    return new Promise((resolve) => {
      let chunks: Buffer[] | undefined = [];
      let sizeBytes = 0;
      request.on("data", (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes > limitBytes) chunks = undefined;
        chunks?.push(chunk);
      });
      request.on("end", () => resolve(chunks && (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))));
      request.on("close", () => resolve(undefined));
    });
  }

  get isGone(): boolean {
    return this.#response.destroyed || this.#response.socket === null || this.#response.socket.destroyed;
  }

  onGone(run: () => void): void {
    this.#response.once("close", run);
  }

  send(status: number, contentType: string, body: string | Buffer): void {
    this.#response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) });
    this.#response.end(body);
  }

  sendJson(status: number, body: unknown): void {
    this.send(status, "application/json", JSON.stringify(body));
  }

  /** Destroys the connection: the caller sees it end without an answer. */
  cut(): void {
    this.request.socket.destroy();
  }
}
