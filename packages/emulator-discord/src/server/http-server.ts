import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { Exchange } from "./exchange.ts";

/** Answers one request; a rejection is a bug of the emulator and becomes a 500 that says so. */
export type Route = (exchange: Exchange, path: string, query: string) => Promise<void>;

/** Takes over a connection that wants to be a WebSocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on loopback; `routes` are tried by the beginning of the path. */
export async function startHttpServer(
  port: number,
  routes: ReadonlyMap<string, Route>,
  upgrade: Upgrade,
): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, noDelay: true }, (request, response) => {
    const exchange = new Exchange(request, response);
    const target = request.url ?? "/";
    const mark = target.indexOf("?");
    const path = mark === -1 ? target : target.slice(0, mark);
    const query = mark === -1 ? "" : target.slice(mark + 1);
    for (const [prefix, route] of routes) {
      if (!path.startsWith(prefix)) continue;
      route(exchange, path, query).catch((cause: unknown) => {
        // A bug of the emulator must not look like a fault of Discord: say it where the test can see it.
        exchange.send(500, { "content-type": "text/plain" }, formatBug(cause));
      });
      return;
    }
    exchange.sendJson(404, { message: "404: Not Found", code: 0 });
  });
  server.on("upgrade", upgrade);
  const boundPort = await listen(server, port);
  return {
    port: boundPort,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function formatBug(cause: unknown): string {
  return `emulator failed: ${cause instanceof Error ? cause.stack : String(cause)}`;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
