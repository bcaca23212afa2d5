import { createServer, type Server } from "node:http";
import { Exchange } from "./exchange.ts";

/** Answers one request; a rejection is a bug of the emulator and becomes a 500 that says so. */
export type Route = (exchange: Exchange, path: string, query: string) => Promise<void>;

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on loopback; `routes` are tried by the beginning of the path. */
export async function startHttpServer(port: number, routes: ReadonlyMap<string, Route>): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, noDelay: true }, (request, response) => {
    const exchange = new Exchange(request, response);
    const target = request.url ?? "/";
    const mark = target.indexOf("?");
    const path = mark === -1 ? target : target.slice(0, mark);
    const query = mark === -1 ? "" : target.slice(mark + 1);
    for (const [prefix, route] of routes) {
      if (!path.startsWith(prefix)) continue;
      route(exchange, path, query).catch((cause: unknown) => {
        // A bug of the emulator must not look like a fault of Telegram: say it where the test can see it.
        exchange.send(500, "text/plain", `emulator failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
      });
      return;
    }
    exchange.sendJson(404, { ok: false, error_code: 404, description: "Not Found" });
  });
  const boundPort = await listen(server, port);
  return {
    url: `http://127.0.0.1:${boundPort}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
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
