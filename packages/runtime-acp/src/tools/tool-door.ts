import type { McpServer } from "@agentclientprotocol/sdk";
import type { ToolGrant, ToolServer } from "@banyan/mcp-tools";
import type { RuntimeHost, SessionSpec } from "@banyan/plugin-sdk";
import type { AgentAbilities } from "../links/agent-link.ts";
import { buildMcpServer } from "./mcp-server.ts";

/** What an agent's session is opened with so that it reaches the conversation's tools. */
export interface SessionTools {
  readonly servers: readonly McpServer[];
  readonly grant: ToolGrant;
}

/** The door that agents call the host's tools through; it is loaded and opened for the first session that has any. */
export class ToolDoor {
  readonly #version: string;
  #server: Promise<ToolServer> | undefined;

  constructor(version: string) {
    this.#version = version;
  }

  /** A way in for one session of an agent; the one that its conversation had before leads nowhere any more. */
  async give(
    { sessionKey, tools }: SessionSpec,
    abilities: AgentAbilities,
    host: RuntimeHost,
  ): Promise<SessionTools | undefined> {
    if (tools.length === 0) return undefined;
    const { url, give } = await this.#open(host);
    const { grant, bearer } = give(sessionKey, tools);
    return { grant, servers: [await buildMcpServer({ url, bearer }, abilities)] };
  }

  async close(): Promise<void> {
    const [opened] = await Promise.allSettled([this.#server]);
    if (opened.status === "fulfilled") await opened.value?.close();
  }

  #open({ log }: RuntimeHost): Promise<ToolServer> {
    this.#server ??= this.#load(log).catch((error: unknown) => {
      // The next session tries again.
      this.#server = undefined;
      throw error;
    });
    return this.#server;
  }

  async #load(log: RuntimeHost["log"]): Promise<ToolServer> {
    const { openToolServer } = await import("@banyan/mcp-tools");
    return openToolServer({ log, version: this.#version });
  }
}
