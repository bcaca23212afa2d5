import { createServer, type IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import type { TestAccount } from "../test-account.ts";

/** A call as Discord made it, to be made again. */
export interface SignedCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface InteractionServer {
  readonly url: string;
  /** What Discord posted so far. */
  readonly calls: readonly SignedCall[];
  /** Posts to what the account serves, as anybody may. */
  post(call: SignedCall): Promise<Response>;
}

/** The server of a gateway, as far as interactions go: it hands on to what the account serves. Ends with the test. */
export async function openInteractionServer(account: TestAccount): Promise<InteractionServer> {
  const calls: SignedCall[] = [];
  const path = "/discord/default/interactions";
  async function post({ headers, body }: SignedCall): Promise<Response> {
    const serve = account.served.get(path);
    if (serve === undefined) throw new Error("the account serves no interactions");
    return serve(new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body }));
  }
  const server = createServer((request, response) => {
    void readCall(request).then(async (call) => {
      calls.push(call);
      const answer = await post(call);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}${path}`, calls, post };
}

async function readCall(request: IncomingMessage): Promise<SignedCall> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers: Record<string, string> = {};
  for (const name of ["content-type", "x-signature-ed25519", "x-signature-timestamp"])
    headers[name] = String(request.headers[name] ?? "");
  return { headers, body: Buffer.concat(chunks).toString() };
}
