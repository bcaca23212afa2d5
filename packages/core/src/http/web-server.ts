import type { RequestListener, Server } from "node:http";

export interface WebServerOptions {
  fetch(request: Request): Response | Promise<Response>;
  /** Stands in the address of a request that names no host. */
  readonly hostname?: string;
}

/**
 * A node server that speaks in web requests. What a start can do without comes later: the adapter, whose `Request` brings
 * node's whole HTTP client along, with the first request, and `node:http` as it is, since importing it by name reads all
 * it exports, that client's `WebSocket` included: 25 ms of every start.
 */
export function createWebServer({ fetch, hostname }: WebServerOptions): Server {
  const { createServer } = process.getBuiltinModule("node:http");
  let adapter: Promise<RequestListener> | undefined;
  const load = async (): Promise<RequestListener> => {
    const { getRequestListener } = await import("@hono/node-server");
    return getRequestListener(fetch, hostname === undefined ? {} : { hostname });
  };
  return createServer((incoming, outgoing) => {
    adapter ??= load();
    adapter.then(
      (listen) => listen(incoming, outgoing),
      (error: Error) => outgoing.destroy(error),
    );
  });
}
