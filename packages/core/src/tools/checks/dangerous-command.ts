import { decideCommand } from "../boundaries/decide-command.ts";
import type { ToolCheck } from "./tool-check.ts";

/** What the agents' boundaries, and the host's own list of dangerous programs, say of a command. */
export const dangerousCommand: ToolCheck = {
  name: "dangerous commands",
  priority: 8,
  pre({ use, scope }) {
    if (use.command === undefined) return undefined;
    const verdict = decideCommand(use.command.argv, scope.boundaries ?? []);
    if (verdict.kind === "closed") return { kind: "refuse", failure: "permission", why: verdict.why };
    return verdict.kind === "ask" ? { kind: "ask" } : undefined;
  },
};
