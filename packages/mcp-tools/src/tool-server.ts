import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Log, ToolDescription } from "@banyan/plugin-sdk";
import { legacyStatelessFallback } from "@modelcontextprotocol/server";
import { GrantBook } from "./grants/grant-book.ts";
import type { ToolGrant } from "./grants/tool-grant.ts";
import { decideAdmission, type Refusal, refuse, TOOLS_PATH } from "./http/decide-admission.ts";
import { readBody } from "./http/read-body.ts";
import { writeResponse } from "./http/write-response.ts";
import { createProtocolServer } from "./protocol-server.ts";

const LOOPBACK = "127.0.0.1";
/** Who takes longer to send a request holds a place of others. */
const REQUEST_LIMIT_MS = 15_000;
const MOST_SOCKETS = 256;
/** Of the protocol (Streamable HTTP, "Session Management"): names the connection that a request belongs to. */
const CONNECTION_HEADER = "mcp-session-id";

export interface ToolServerOptions {
  readonly log: Log;
  /** The host's, as clients are told it. */
  readonly version: string;
}

export interface GivenGrant {
  readonly grant: ToolGrant;
  /** 256 bits; stands nowhere but here. Goes into a header, never into an address or an argument. */
  readonly bearer: string;
}

export interface ToolServer {
  readonly url: string;
  /** A bearer for a conversation; the one that it had before is worth nothing any more. */
  give(sessionKey: string, tools: readonly ToolDescription[]): GivenGrant;
  /** All bearers end with it. */
  close(): Promise<void>;
}

interface Door extends ToolServerOptions {
  readonly grants: GrantBook;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
}

/** Serves tools by the Model Context Protocol, on loopback and on a free port, to those who were given a bearer. */
export async function openToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const grants = new GrantBook();
  let port = 0;
  const server = createServer({ requestTimeout: REQUEST_LIMIT_MS, connectionsCheckingInterval: REQUEST_LIMIT_MS });
  server.maxConnections = MOST_SOCKETS;
  server.on("request", (incoming, outgoing) => {
    serve(incoming, outgoing, { ...options, grants, host: `${LOOPBACK}:${port}` }).catch((error: unknown) => {
      options.log.warn({ err: error }, "a request for tools broke off");
      outgoing.destroy();
    });
  });
  port = await new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  // An agent's tools do not keep the program from ending.
  server.unref();
  return {
    url: `http://${LOOPBACK}:${port}${TOOLS_PATH}`,
    give: (sessionKey, tools) => grants.give(sessionKey, tools),
    close: () =>
      new Promise((closed) => {
        grants.revokeAll();
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, door: Door): Promise<void> {
  const { grants, host, log, version } = door;
  const admission = decideAdmission(incoming, { host, findGrant: (bearer) => grants.find(bearer) });
  if (admission.kind === "refused") return turnAway(outgoing, admission, log);
  const { grant } = admission;
  const body = await readBody(incoming);
  if (body.kind === "refused") return turnAway(outgoing, body, log);
  const isHello = body.method === "initialize";
  const connection = isHello ? grant.connect() : incoming.headers[CONNECTION_HEADER];
  if (typeof connection !== "string")
    return turnAway(outgoing, refuse(400, "who calls says hello first; send initialize"), log);
  if (!grant.knows(connection))
    return turnAway(outgoing, refuse(404, "this connection is over; send initialize again"), log);
  if (body.givenUp !== undefined) grant.giveUp(connection, body.givenUp);
  const answer = legacyStatelessFallback(
    () => createProtocolServer({ grant, connection, version }),
    (error) => log.debug({ err: error }, "a request for tools was not as the protocol has it"),
  );
  const response = await answer(buildRequest(incoming, host), { parsedBody: body.message });
  if (isHello && response.ok) response.headers.set(CONNECTION_HEADER, connection);
  await writeResponse(response, outgoing);
}

/** The bearer goes no further than the door. */
function buildRequest({ headers }: IncomingMessage, host: string): Request {
  const kept = ["accept", "content-type", "mcp-protocol-version"].flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as const] : [];
  });
  return new Request(`http://${host}${TOOLS_PATH}`, { method: "POST", headers: Object.fromEntries(kept) });
}

function turnAway(outgoing: ServerResponse, { status, why, headers }: Refusal, log: Log): void {
  log.debug({ status, why }, "a request for tools was refused");
  const message = `Tools were asked for: ${why}`;
  // What else was sent is not read.
  outgoing.writeHead(status, { ...headers, "content-type": "application/json", connection: "close" });
  outgoing.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }));
}
