import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Hands a web response to node, as it comes. Resolves also when nobody reads it any more. */
export async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  const body = Readable.from(response.body);
  const [written] = await Promise.allSettled([pipeline(body, outgoing)]);
  if (written.status === "rejected") outgoing.destroy();
}
