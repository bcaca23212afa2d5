import type { ToolDescription } from "@banyan/plugin-sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { type GivenGrant, openToolServer, type ToolServer } from "../../src/index.ts";

export const ECHO: ToolDescription = {
  name: "echo",
  description: "Says it again.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

export interface CallSeen {
  readonly name: string;
  readonly args: unknown;
}

/** A door with one conversation behind it, whose turns say again what they are told. */
export class ToolDesk {
  readonly server: ToolServer;
  readonly given: GivenGrant;
  /** What the conversation's turns were asked. */
  readonly calls: CallSeen[] = [];

  private constructor(server: ToolServer) {
    this.server = server;
    this.given = server.give("agent:main:grove:dm:1", [ECHO]);
  }

  static async open(): Promise<ToolDesk> {
    const server = await openToolServer({
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      version: "0",
    });
    onTestFinished(() => server.close());
    return new ToolDesk(server);
  }

  get grant(): GivenGrant["grant"] {
    return this.given.grant;
  }

  /** A turn begins; ends when it is called back. */
  begin(answer: (args: unknown) => Promise<string> = async (args) => JSON.stringify(args)): () => void {
    const call = async (name: string, args: unknown) => {
      this.calls.push({ name, args });
      return { text: await answer(args), isError: false };
    };
    return this.grant.begin({ call }, [ECHO]);
  }

  async connect(bearer: string = this.given.bearer): Promise<Client> {
    const client = new Client({ name: "test", version: "0" });
    const headers = { authorization: `Bearer ${bearer}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(this.server.url), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    return client;
  }

  /** A connection by hand: how a client says hello. Resolves with the connection's name. */
  async hello(bearer: string = this.given.bearer): Promise<string> {
    const answer = await this.post(HELLO, { authorization: `Bearer ${bearer}` });
    return answer.headers.get("mcp-session-id") ?? "";
  }

  /** One request on the wire. */
  async post(body: object | string, headers: Readonly<Record<string, string>>, path = ""): Promise<Response> {
    return fetch(`${this.server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  /** A call by hand, with the number that is given. */
  async call(id: number, text: string, connection: string, bearer: string = this.given.bearer): Promise<string> {
    const params = { name: "echo", arguments: { text } };
    const headers = { authorization: `Bearer ${bearer}`, "mcp-session-id": connection };
    const answer = await this.post({ jsonrpc: "2.0", id, method: "tools/call", params }, headers);
    return readText(await answer.text());
  }
}

export const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } },
};

/** What the answer says, of whichever kind it is. */
function readText(body: string): string {
  return (
    /"(?:text|message)":("(?:[^"\\]|\\.)*")/.exec(body)?.[1]?.replaceAll(/^"|"$/g, "").replaceAll('\\"', '"') ?? body
  );
}

const ignore = () => undefined;
