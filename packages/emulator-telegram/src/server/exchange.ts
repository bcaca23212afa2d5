import type { IncomingMessage, ServerResponse } from "node:http";

/** Texts are small; the real server's far larger limit is for files. */
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
  readBody(): Promise<string | undefined> {
    const { request } = this;
    return new Promise((resolve) => {
      let chunks: Buffer[] | undefined = [];
      let sizeBytes = 0;
      request.on("data", (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes > BODY_LIMIT_BYTES) chunks = undefined;
        chunks?.push(chunk);
      });
      request.on("end", () => resolve(chunks && (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString()));
      request.on("close", () => resolve(undefined));
    });
  }

  get isGone(): boolean {
    return this.#response.destroyed || this.#response.socket === null || this.#response.socket.destroyed;
  }

  onGone(run: () => void): void {
    this.#response.once("close", run);
  }

  send(status: number, contentType: string, text: string): void {
    this.#response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(text) });
    this.#response.end(text);
  }

  sendJson(status: number, body: unknown): void {
    this.send(status, "application/json", JSON.stringify(body));
  }

  /** Destroys the connection: the caller sees it end without an answer. */
  cut(): void {
    this.request.socket.destroy();
  }
}
