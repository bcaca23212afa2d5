import { realpath, stat } from "node:fs/promises";
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

/**
 * Looks at the folder that a plan names, behind its links, for what only the disk can tell: a link in the workspace
 * would else lead a child out of it. Asked before anything is opened; `undefined` lets it pass.
 */
export async function checkChildWorkspace(plan: {
  readonly body: { readonly workspaceDir: string };
  readonly workspaceRoots: readonly string[];
}): Promise<SpawnRefusal | undefined> {
  const { workspaceDir } = plan.body;
  // Whatever it is, its parent or its agent works there as well.
  if (plan.workspaceRoots.includes(workspaceDir)) return undefined;
  const real = await findRealFolder(workspaceDir);
  if (real === undefined) {
    const problem =
      "its workspace is no folder or cannot be opened; give workspaceDir a folder that is there, or tell the operator";
    return refuseSpawn("error", "workspace_missing", problem);
  }
  const roots = await Promise.all(plan.workspaceRoots.map(findRealFolder));
  return isWithinRoots(
    real,
    roots.filter((root) => root !== undefined),
  )
    ? undefined
    : refuseOutside();
}

/** `undefined` for whatever cannot be opened as a folder, for whatever reason. */
async function findRealFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
