import type { McpServer } from "@agentclientprotocol/sdk";
import type { AgentAbilities } from "../links/agent-link.ts";

/** As agents call it in the names of our tools. */
export const TOOLS_NAME = "banyan";

/** How an agent is told of the door: by its address, or, where it speaks no HTTP, by the program that leads there. */
export async function buildMcpServer(
  { url, bearer }: { readonly url: string; readonly bearer: string },
  { canCallHttp }: AgentAbilities,
): Promise<McpServer> {
  if (canCallHttp) {
    const headers = [{ name: "Authorization", value: `Bearer ${bearer}` }];
    return { type: "http", name: TOOLS_NAME, url, headers };
  }
  const { buildToolBridge } = await import("@banyan/mcp-tools");
  const { command, args, env } = buildToolBridge({ url, bearer });
  return {
    name: TOOLS_NAME,
    command,
    args: [...args],
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
  };
}
