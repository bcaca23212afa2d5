import { resolve } from "node:path";
import { isWithin } from "../../tools/files/workspace-path.ts";
import type { SpawnCase } from "./spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "./spawn-refusal.ts";

type WorkspaceCase = Pick<SpawnCase, "request" | "facts" | "target" | "isSameAgent">;

/** Where the child works: its parent's folder for the same agent, else its agent's own; or what is asked, from there. */
export function resolveChildWorkspaceDir({ request, facts, target, isSameAgent }: WorkspaceCase): string {
  const { workspaceDir: parentDir } = facts.requester;
  const ownDir = isSameAgent ? parentDir : (target?.workspace ?? parentDir);
  return resolve(ownDir, request.workspaceDir ?? ".");
}

/**
 * Where a child may be put. The agent's configured folder counts only for another agent: a parent that was itself put
 * into a part of it could else widen its own bounds by spawning.
 */
export function listWorkspaceRoots({ facts, target, isSameAgent }: WorkspaceCase): readonly string[] {
  const ownRoot = isSameAgent || target === undefined ? [] : [target.workspace];
  return [facts.requester.workspaceDir, ...ownRoot, ...facts.workspaceRoots].map((root) => resolve(root));
}

export function isWithinRoots(workspaceDir: string, roots: readonly string[]): boolean {
  return roots.some((root) => isWithin(root, workspaceDir));
}

export function refuseOutside(): SpawnRefusal {
  const problem = "workspaceDir lies outside the workspace; give a folder inside it, or leave workspaceDir out";
  return refuseSpawn("forbidden", "workspace_outside", problem);
}
