import type { IncomingMessage } from "node:http";
import { type Refusal, refuse } from "./decide-admission.ts";

/** Of one request: a call with the largest arguments that a tool takes is below it. */
const BODY_LIMIT_BYTES = 1_048_576;

export interface RpcMessage {
  readonly kind: "message";
  readonly method: string | undefined;
  readonly message: object;
  /** The request that its client says it waits for no longer. */
  readonly givenUp?: string | number;
}

/** Reads one message of the protocol, no further than its limit. */
export async function readBody(request: IncomingMessage): Promise<RpcMessage | Refusal> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.from(chunk);
    sizeBytes += piece.length;
    if (sizeBytes > BODY_LIMIT_BYTES) return refuse(413, `a body has at most ${BODY_LIMIT_BYTES} bytes; send less`);
    chunks.push(piece);
  }
  return parseMessage(Buffer.concat(chunks).toString("utf8"));
}

function parseMessage(text: string): RpcMessage | Refusal {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message !== "object" || message === null || Array.isArray(message))
      return refuse(400, "a body is one JSON-RPC message; send an object");
    const givenUp = readGivenUp(message);
    return { kind: "message", method: readMethod(message), message, ...(givenUp === undefined ? {} : { givenUp }) };
  } catch (error) {
    if (error instanceof SyntaxError) return refuse(400, "the body is no JSON; send one JSON-RPC message");
    throw error;
  }
}

function readMethod(message: object): string | undefined {
  return "method" in message && typeof message.method === "string" ? message.method : undefined;
}

function readGivenUp(message: object): string | number | undefined {
  if (readMethod(message) !== "notifications/cancelled" || !("params" in message)) return undefined;
  const { params } = message;
  if (typeof params !== "object" || params === null || !("requestId" in params)) return undefined;
  const { requestId } = params;
  return typeof requestId === "string" || typeof requestId === "number" ? requestId : undefined;
}
