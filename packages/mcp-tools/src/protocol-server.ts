import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { ToolGrant } from "./grants/tool-grant.ts";

export interface ProtocolParts {
  readonly grant: ToolGrant;
  /** Of the client, for its requests' numbers. */
  readonly connection: string;
  /** The host's, as clients are told it. */
  readonly version: string;
}

/**
 * Claude's agent leaves tools out of what its model is offered until they are searched for, but not those with this field
 * (Claude Agent SDK, `alwaysLoad` of MCP servers). No other client knows it.
 */
const ALWAYS_LOADED = { "anthropic/alwaysLoad": true };

/** The protocol's side of one request: the grant's tools, and a call of one of them. */
export function createProtocolServer({ grant, connection, version }: ProtocolParts): Server {
  const server = new Server({ name: "banyan", version }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", async () => ({
    tools: grant.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: "object" as const },
      _meta: ALWAYS_LOADED,
    })),
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq: { id } }) => {
    const { name, arguments: args = {} } = params;
    // One that was not given is not there: not seen, not called, and not counted.
    if (!grant.tools.some((tool) => tool.name === name))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `The tool ${name.slice(0, 64)} was called: you have none of this name`,
      );
    const { text, isError } = await grant.call(connection, { id, name, args });
    return { content: [{ type: "text" as const, text }], isError };
  });
  return server;
}
