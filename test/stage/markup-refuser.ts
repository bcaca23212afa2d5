import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const REFUSAL = { ok: false, error_code: 400, description: "Bad Request: can't parse entities: unknown entity" };

/** A Bot API server in front of another one, which takes no markup at all; closed with the test. Resolves with its address. */
export async function openMarkupRefuser(target: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    if (body.includes('"entities"')) {
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(REFUSAL));
      return;
    }
    const headers = { "content-type": request.headers["content-type"] ?? "application/json" };
    const hangUp = new AbortController();
    response.once("close", () => hangUp.abort());
    const { url = "/", method = "POST" } = request;
    const answer = await fetch(target + url, { method, headers, body, signal: hangUp.signal }).catch(() => undefined);
    if (answer === undefined) response.destroy();
    else response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${portOf(server.address())}`;
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === "string") throw new Error("A server was opened: it has no port");
  return address.port;
}
