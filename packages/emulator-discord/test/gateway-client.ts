import { once } from "node:events";
import { WebSocket } from "ws";
import { pick } from "./pick.ts";

/** A bare gateway client, so that the tests see exactly what goes over the wire. */
export interface GatewayClient {
  /** The next frame, in the order they came. */
  next(): Promise<Frame>;
  /** Frames until one with such a `t`, that one last. */
  until(type: string): Promise<readonly Frame[]>;
  send(op: number, d: unknown): void;
  sendText(text: string): void;
  /** Resolves when the connection is over. */
  readonly closed: Promise<{ readonly code: number }>;
  close(code?: number): void;
  terminate(): void;
}

export interface Frame {
  readonly op: number;
  readonly t: unknown;
  readonly s: unknown;
  readonly d: unknown;
}

export async function openGateway(url: string): Promise<GatewayClient> {
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  const waiting: ((frame: Frame) => void)[] = [];
  socket.on("message", (data) => {
    const frame = parseFrame(String(data));
    const listener = waiting.shift();
    if (listener === undefined) frames.push(frame);
    else listener(frame);
  });
  await once(socket, "open");
  const closed = once(socket, "close").then(([code]) => ({ code: Number(code) }));
  const next = (): Promise<Frame> => {
    const frame = frames.shift();
    return frame === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(frame);
  };
  return {
    next,
    closed,
    async until(type) {
      const seen: Frame[] = [];
      for (;;) {
        const frame = await next();
        seen.push(frame);
        if (frame.t === type) return seen;
      }
    },
    send: (op, d) => socket.send(JSON.stringify({ op, d })),
    sendText: (text) => socket.send(text),
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
  };
}

function parseFrame(text: string): Frame {
  const frame: unknown = JSON.parse(text);
  return { op: Number(pick(frame, "op")), t: pick(frame, "t"), s: pick(frame, "s"), d: pick(frame, "d") };
}

export const PROPERTIES = { os: "linux", browser: "test", device: "test" };

/** Says hello and identifies; resolves with READY. */
export async function identify(client: GatewayClient, token: string, intents: number): Promise<Frame> {
  await client.next();
  client.send(2, { token, intents, properties: PROPERTIES });
  return client.next();
}

/** Says hello and resumes; what comes is the test's to read. */
export async function resume(client: GatewayClient, token: string, sessionId: unknown, seq: unknown): Promise<void> {
  await client.next();
  client.send(6, { token, session_id: sessionId, seq });
}
