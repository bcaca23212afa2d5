import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

export interface BridgeRoute {
  readonly url: string;
  readonly bearer: string;
  /** As the door named it in its answer to the hello. */
  readonly connection: string | undefined;
}

export interface BridgeAnswer {
  readonly connection?: string;
  /** JSON, one message each. */
  readonly messages: readonly string[];
}

/** Sends one message. Never rejects: what came to nothing is an answer that the client can show. */
export async function postMessage(line: string, route: BridgeRoute): Promise<BridgeAnswer> {
  try {
    const { status, connection, type, body } = await post(line, route);
    const messages = type.startsWith("text/event-stream") ? readEvents(body) : body.trim() === "" ? [] : [body.trim()];
    const answered = status < 400 ? messages : formatFailure(line, readReason(body) ?? `the host answered ${status}`);
    return { ...(connection === undefined ? {} : { connection }), messages: answered };
  } catch (error) {
    return {
      messages: formatFailure(line, `the host cannot be reached: ${error instanceof Error ? error.message : error}`),
    };
  }
}

interface PostAnswer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly type: string;
  readonly body: string;
}

function post(line: string, { url, bearer, connection }: BridgeRoute): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(connection === undefined ? {} : { "mcp-session-id": connection }),
    };
    // An agent of its own: node's global one may be told by the environment to go through a proxy.
    const posting = request(url, { method: "POST", headers, agent: new Agent() }, (answer) => {
      text(answer).then((body) => {
        const named = answer.headers["mcp-session-id"];
        resolve({
          status: answer.statusCode ?? 0,
          connection: typeof named === "string" ? named : undefined,
          type: answer.headers["content-type"] ?? "",
          body,
        });
      }, reject);
    });
    posting.on("error", reject);
    posting.end(line);
  });
}

function readEvents(body: string): readonly string[] {
  return body.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice("data: ".length)] : []));
}

/** A request gets its failure as an answer; what is none gets nothing. */
function formatFailure(line: string, reason: string): readonly string[] {
  const id = readField(parse(line), "id");
  if (typeof id !== "string" && typeof id !== "number") return [];
  const message = `Banyan's tools were asked: ${reason}`;
  return [JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message } })];
}

function readReason(body: string): string | undefined {
  const message = readField(readField(parse(body), "error"), "message");
  return typeof message === "string" ? message : undefined;
}

function readField(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
