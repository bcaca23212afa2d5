import type { Log } from "@banyan/plugin-sdk";
import type { CallableHooks } from "../../hooks/lifecycle-hooks.ts";
import { audit } from "./audit.ts";
import { dangerousCommand } from "./dangerous-command.ts";
import { createFileAccessLog } from "./file-access-log.ts";
import { filePermission } from "./file-permission.ts";
import { createPathSecurity } from "./path-security.ts";
import { listPluginChecks } from "./plugin-check.ts";
import { createResourceLimit } from "./resource-limit.ts";
import { sortChecks, type ToolCheck } from "./tool-check.ts";

export interface CheckChainParts {
  readonly log: Log;
  /** Removes registered secrets from a text. */
  readonly scrub: (text: string) => string;
  readonly hooks: Pick<CallableHooks, "before_tool_call" | "after_tool_call">;
  /** What stands behind the six. */
  readonly more?: readonly ToolCheck[];
}

/** The one chain that every tool call passes, of whichever runtime: the host's six hooks, and the taps of plugins. */
export function createCheckChain({ log, scrub, hooks, more = [] }: CheckChainParts): () => readonly ToolCheck[] {
  const own = [
    createPathSecurity(scrub),
    filePermission,
    dangerousCommand,
    createFileAccessLog(log),
    createResourceLimit(),
    audit,
    ...more,
  ];
  // Of one priority a plugin's taps come first: what it has to say is in the host's record then.
  return () => sortChecks([...listPluginChecks(hooks), ...own]);
}
