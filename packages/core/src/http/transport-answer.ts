import type { IncomingMessage } from "node:http";
import type { ChannelResponse } from "@banyan/plugin-sdk";

/** Reads an answer to its end, up to a size. Exactly one of the callbacks is called that counts. */
export function readAnswer(
  incoming: IncomingMessage,
  limitBytes: number,
  done: (response: ChannelResponse) => void,
  fail: (what: string, cause?: unknown) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > limitBytes) fail(`the answer is over ${limitBytes} bytes`);
    else chunks.push(chunk);
  });
  incoming.once("error", (error) => fail("the connection was lost in the middle of the answer", error));
  incoming.once("end", () => {
    const [only, ...more] = chunks;
    done(buildResponse(incoming, only !== undefined && more.length === 0 ? only : Buffer.concat(chunks)));
  });
}

/** A web `Response` would cost more than the rest of the call. */
function buildResponse({ statusCode = 502, headers }: IncomingMessage, body: Buffer): ChannelResponse {
  return {
    status: statusCode,
    ok: statusCode >= 200 && statusCode < 300,
    headers: {
      get(name) {
        const value = headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(", ") : (value ?? null);
      },
    },
    text: async () => body.toString("utf8"),
    json: async () => JSON.parse(body.toString("utf8")),
    bytes: async () => body,
  };
}
