import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Listens on loopback. */
export async function startHttpServer(port: number, answer: Answer): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, noDelay: true }, (request, response) => {
    answer(request, response).catch((cause: unknown) => {
      // A client that hangs up is no bug of ours; anything else is said where the test can see it.
      if (response.destroyed) return;
      response.statusCode = 500;
      response.end(`emulator failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
