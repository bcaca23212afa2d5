import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { World } from "../world/world.ts";
import { GatewayConnection } from "./gateway-connection.ts";
import type { Upgrade } from "./http-server.ts";

export interface GatewayOptions {
  readonly world: World;
  /** Given in HELLO. */
  readonly heartbeatIntervalMs: number;
  /** Whether one IDENTIFY in five seconds is all there may be, and 120 sends in sixty. */
  readonly isPaced: boolean;
}

export interface GatewayServer {
  readonly upgrade: Upgrade;
  /** Ends all connections as torn. */
  close(): void;
}

/** The WebSocket side. READY names an address of its own for a RESUME, which leads here as well. */
export function createGatewayServer(options: GatewayOptions): GatewayServer {
  const { world } = options;
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  return {
    upgrade(request, socket, head) {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      if (world.trouble.isDown || !pathname.startsWith("/gateway")) {
        socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        return;
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        open(
          new GatewayConnection({ ...options, resumeUrl: `${world.gatewayUrl}/resume`, socket: wrapSocket(webSocket) }),
          webSocket,
        );
        if (searchParams.get("v") !== "10") webSocket.close(4012, "Invalid API version.");
        else if ((searchParams.get("encoding") ?? "json") !== "json")
          webSocket.close(4002, "Only JSON is spoken here.");
      });
    },
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

function open(connection: GatewayConnection, socket: WebSocket): void {
  connection.greet();
  socket.on("message", (data: RawData) => connection.receive(readText(data)));
  socket.on("close", (code) => connection.end(code));
  // A torn connection is an error to the socket and an end to the session; its close event follows.
  socket.on("error", () => socket.terminate());
}

function wrapSocket(socket: WebSocket): ConstructorParameters<typeof GatewayConnection>[0]["socket"] {
  return {
    send: (text) => socket.send(text),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}

function readText(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : toBuffer(data).toString();
}

function toBuffer(data: Buffer | ArrayBuffer): Buffer {
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
