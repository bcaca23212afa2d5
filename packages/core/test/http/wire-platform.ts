/** Platforms on loopback, and a transport that calls them, each closed with its test. */
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from "node:net";
import { inspect } from "node:util";
import { type ChannelRequest, TransportError } from "@banyan/plugin-sdk";
import { expect, onTestFinished } from "vitest";
import { createTransport, type Transport } from "../../src/http/transport.ts";

export function openTransport(): Transport {
  const transport = createTransport();
  onTestFinished(() => transport.close());
  return transport;
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("A server was opened: it has no port");
  return `http://127.0.0.1:${address.port}`;
}

export async function openPlatform(serve: RequestListener): Promise<string> {
  const server = createServer(serve);
  onTestFinished(() => void server.close().closeAllConnections());
  return listen(server);
}

/** A platform of bare sockets. */
export async function openSockets(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return listen(server);
}

/** How a call fails; nothing of the path may be said. */
export async function failureOf(
  url: string,
  request: ChannelRequest = {},
  transport: Transport = openTransport(),
): Promise<TransportError> {
  const error: unknown = await transport.fetch(url, request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TransportError)) throw new Error(`A call was to fail as TransportError: ${String(error)}`);
  const { message, stack, cause } = error;
  expect(`${message} ${stack} ${inspect(cause, { depth: 9 })}`).not.toMatch(/TOKEN|SECRET|4711/);
  return error;
}
