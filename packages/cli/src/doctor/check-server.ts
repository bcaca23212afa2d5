import { createServer } from "node:net";
import type { Config, GatewayInfo } from "@banyan/core";
import { SilentGateway } from "../state/find-gateway.ts";
import type { Finding } from "./finding.ts";

const SUBJECT = "port";
const LOOPBACK: readonly string[] = ["127.0.0.1", "::1", "localhost"];

/** The server's port is ours already, or free; and who can reach it. */
export async function checkServer(
  { server: { host, port, token } }: Config,
  gateway: GatewayInfo | SilentGateway | undefined,
): Promise<readonly Finding[]> {
  // It holds the port, and the check of the database has named it.
  if (gateway instanceof SilentGateway) return [];
  const place = `${host}:${port}`;
  const reach = LOOPBACK.includes(host) || token !== undefined ? [] : [buildExposed(place)];
  if (gateway !== undefined) return [{ subject: SUBJECT, level: "ok", text: `served at ${gateway.url}` }, ...reach];
  if (port === 0) return [{ subject: SUBJECT, level: "ok", text: `${host}, any free one` }, ...reach];
  const trouble = await tryListen(host, port);
  if (trouble === undefined) return [{ subject: SUBJECT, level: "ok", text: `${place} is free` }, ...reach];
  if (trouble === "EADDRINUSE") {
    const cure = "stop the other program, or choose another port with BANYAN_PORT";
    return [{ subject: SUBJECT, level: "error", text: `${place} is taken by another program`, cure }, ...reach];
  }
  const cure = "correct server.host, or choose another port with BANYAN_PORT";
  return [{ subject: SUBJECT, level: "error", text: `${place} cannot be served (${trouble})`, cure }, ...reach];
}

function buildExposed(place: string): Finding {
  const text = `${place} can be reached from other machines, guarded by the token in the state directory alone`;
  return { subject: SUBJECT, level: "warning", text, cure: "use 127.0.0.1 behind a proxy with TLS" };
}

/** The error's code; `undefined`: it can be served. */
function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
