import type { Log } from "@banyan/plugin-sdk";
import { StoreError } from "@banyan/store";
import type { Context } from "hono";
import { Hono } from "hono/tiny";
import { BanyanError } from "../ports/errors.ts";
import { createGuard } from "./guard.ts";
import { createWebServer } from "./web-server.ts";

type Serve = (request: Request) => Promise<Response>;

interface Mount {
  readonly path: string;
  readonly serve: Serve;
  readonly access: "operator" | "open";
}

export interface ServerOptions {
  readonly host: string;
  /** 0 is any free one. */
  readonly port: number;
  /** The operator's bearer. */
  readonly token: string;
  readonly log: Log;
  /** What `GET /healthz` answers; 503 while `status` is not `ok`. */
  health(): { readonly status: string };
}

export interface Server {
  readonly port: number;
  readonly url: string;
  /** Serves a path and all below it; the longest path wins. */
  mount(path: string, serve: Serve, access: "operator" | "open"): () => void;
  close(): Promise<void>;
}

/** The gateway's one HTTP server: loopback by default, `Host` and `Origin` checked before anything is read. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const mounts = new Set<Mount>();
  let port = options.port;
  const hostName = options.host.includes(":") ? `[${options.host}]` : options.host;
  const guard = createGuard(options.token, [hostName.toLowerCase()], () => port);
  const app = new Hono();
  app.use(async (context, next) => {
    if (!guard.isOurs(context.req.raw))
      return context.json({ error: "This server answers to its own address only" }, 403);
    return next();
  });
  app.get("/healthz", (context) => {
    const health = options.health();
    return context.json(health, health.status === "ok" ? 200 : 503);
  });
  app.all("*", async (context) => {
    const mount = findMount(mounts, context.req.path);
    if (mount === undefined) return refuseUnknown(context, options.health().status);
    if (mount.access === "operator" && !guard.isOperator(context.req.raw)) {
      return context.json(
        { error: "The bearer token is missing or wrong; `banyan start` prints the address with it" },
        401,
        { "www-authenticate": 'Bearer realm="banyan"' },
      );
    }
    return mount.serve(context.req.raw);
  });
  app.onError((error, context) => {
    // It arrived while the gateway stopped, which is no failure: the caller tries again.
    if (error instanceof StoreError && error.code === "closed") {
      return context.json({ error: "The gateway is stopping; try again" }, 503);
    }
    options.log.error({ err: error, path: context.req.path }, "a request failed");
    return context.json({ error: "The request failed; the gateway's log says why" }, 500);
  });
  const server = await listen(app, options);
  port = server.port;
  return {
    port,
    url: `http://${hostName}:${port}`,
    mount(path, serve, access) {
      const mount = { path, serve, access };
      mounts.add(mount);
      return () => void mounts.delete(mount);
    },
    close: server.close,
  };
}

/** A path that no account serves yet, or no longer, may be served after the start: the caller tries again. */
function refuseUnknown(context: Context, status: string): Response {
  if (status !== "starting" && status !== "stopping") {
    return context.json({ error: `Nothing is served at ${context.req.path}` }, 404);
  }
  return context.json({ error: `The gateway is ${status}; try again` }, 503, { "retry-after": "1" });
}

function findMount(mounts: ReadonlySet<Mount>, path: string): Mount | undefined {
  let best: Mount | undefined;
  for (const mount of mounts) {
    const isBelow = mount.path === "/" ? path === "/" : path === mount.path || path.startsWith(`${mount.path}/`);
    if (isBelow && (best === undefined || mount.path.length > best.path.length)) best = mount;
  }
  return best;
}

function listen(app: Hono, { host, port }: ServerOptions): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createWebServer({ fetch: app.fetch, hostname: host });
    server.on("error", (error: Error) => reject(listenError(error, host, port)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function listenError(error: Error, host: string, port: number): BanyanError {
  if ("code" in error && error.code === "EADDRINUSE") {
    const cure = "stop the other program, or choose another port with BANYAN_PORT or server.port";
    return new BanyanError("port_taken", `Port ${port} is already in use; ${cure}`, { cause: error });
  }
  const cure = "correct server.host, such as 127.0.0.1, or server.port";
  return new BanyanError("address_unusable", `Opening the server on ${host}:${port}: ${error.message}; ${cure}`, {
    cause: error,
  });
}
