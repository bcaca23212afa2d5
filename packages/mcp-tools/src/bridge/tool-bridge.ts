import { fileURLToPath } from "node:url";

/** How an agent that cannot speak HTTP reaches the tools: a program of ours that it starts and talks with. */
export interface ToolBridge {
  readonly command: string;
  readonly args: readonly string[];
  /** The bearer stands here and nowhere else: arguments are everybody's to read. */
  readonly env: Readonly<Record<string, string>>;
}

/** `url` and `bearer` as they were given. */
export function buildToolBridge({ url, bearer }: { readonly url: string; readonly bearer: string }): ToolBridge {
  const program = fileURLToPath(import.meta.resolve("@banyan/mcp-tools/bridge"));
  return {
    command: process.execPath,
    args: [program],
    env: { BANYAN_TOOLS_URL: url, BANYAN_TOOLS_BEARER: bearer },
  };
}
