import type { Command } from "../../commands/command.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { createAgentsCommand } from "./agents-command.ts";
import { createFocusCommand } from "./focus-command.ts";
import { createKillCommand } from "./kill-command.ts";
import { createRetryCommand } from "./retry-command.ts";
import { createSessionCommand } from "./session-command.ts";
import { createSpawnCommand } from "./spawn-command.ts";
import { createSubagentsCommand } from "./subagents-command.ts";
import { createTreeCommand } from "./tree-command.ts";
import { createUnfocusCommand } from "./unfocus-command.ts";

/** What people can do with sub-agents, in the order in which it is shown. */
export function createSubagentCommands(parts: SubagentParts): readonly Command[] {
  return [
    createSpawnCommand(parts),
    createTreeCommand(parts),
    createSubagentsCommand(parts),
    createKillCommand(parts),
    createRetryCommand(parts),
    createAgentsCommand(parts),
    createFocusCommand(parts),
    createUnfocusCommand(parts),
    createSessionCommand(parts),
  ];
}
