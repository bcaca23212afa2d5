import type { TurnParts } from "../../src/turns/turn-parts.ts";

export const buildPlayedAgent: TurnParts["getAgent"] = ({ agentId: id, entry }) => ({
  id,
  runtime: "played",
  workspaceDir: entry.spawnedWorkspaceDir ?? "/workspace",
  ...(entry.subagentPrompt === undefined ? {} : { instructions: entry.subagentPrompt }),
  policies: [],
  boundaries: [],
  openPaths: [],
});
