import type { IncomingMessage, ServerResponse } from "node:http";

/** A request with files may be so large and no larger (Uploading Files; D4). */
export const REQUEST_LIMIT_BYTES: number = 25 * 1024 * 1024;

/** One HTTP request and its response. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.#response = response;
  }

  /** "too-large" beyond the limit; undefined where the caller is gone before the end. */
  readBody(): Promise<Buffer | "too-large" | undefined> {
    const { request } = this;
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      request.on("data", (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes <= REQUEST_LIMIT_BYTES) chunks.push(chunk);
      });
      request.on("end", () => {
        const [only] = chunks;
        if (sizeBytes > REQUEST_LIMIT_BYTES) resolve("too-large");
        else resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks));
      });
      request.on("close", () => resolve(undefined));
    });
  }

  get isGone(): boolean {
    return this.#response.destroyed || this.#response.socket === null || this.#response.socket.destroyed;
  }

  send(status: number, headers: Readonly<Record<string, string>>, text: string): void {
    this.#response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
    this.#response.end(text);
  }

  /** Status 204 and nothing more. */
  sendNothing(headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(204, headers);
    this.#response.end();
  }

  sendJson(status: number, body: unknown): void {
    this.send(status, { "content-type": "application/json" }, JSON.stringify(body));
  }

  /** Destroys the connection: the caller sees it end without an answer. */
  cut(): void {
    this.request.socket.destroy();
  }
}
