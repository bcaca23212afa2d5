import type { Tool } from "../../tools/tool.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { createAgentsListTool } from "./agents-list.ts";
import { createSessionStatusTool } from "./session-status.ts";
import { createSessionVarsTool } from "./session-vars.ts";
import { createSessionsHistoryTool } from "./sessions-history.ts";
import { createSessionsListTool } from "./sessions-list.ts";
import { createSessionsSendTool } from "./sessions-send.ts";
import { createSessionsSpawnTool } from "./sessions-spawn.ts";
import { createSessionsYieldTool } from "./sessions-yield.ts";
import { createSubagentsTool } from "./subagents.ts";

/** The tools that reach other sessions. */
export function createSessionTools(parts: SubagentParts): readonly Tool[] {
  return [
    createSessionsSpawnTool(parts),
    createSessionsListTool(parts),
    createSessionsHistoryTool(parts),
    createSessionStatusTool(parts),
    createSessionVarsTool(parts),
    createAgentsListTool(parts),
    createSessionsYieldTool(),
    createSessionsSendTool(parts),
    createSubagentsTool(parts),
  ];
}
