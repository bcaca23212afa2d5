import { isGit } from "../boundaries/dangerous-program.ts";
import { decideCommand } from "../boundaries/decide-command.ts";
import { listClosedSettings } from "../boundaries/git-settings.ts";
import type { ToolCheck } from "./tool-check.ts";

/** What the agents' boundaries, and the host's own list of dangerous programs, say of a command. */
export const dangerousCommand: ToolCheck = {
  name: "dangerous commands",
  priority: 8,
  async pre({ use, scope }) {
    if (use.command === undefined) return undefined;
    const { argv } = use.command;
    const settings = isGit(argv) ? await listClosedSettings(scope.workspaceDir) : [];
    const verdict = decideCommand(argv, scope.boundaries ?? [], settings);
    if (verdict.kind === "closed") return { kind: "refuse", failure: "permission", why: verdict.why };
    return verdict.kind === "ask" ? { kind: "ask" } : undefined;
  },
};
