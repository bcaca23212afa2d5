import { realpath, stat } from "node:fs/promises";
import { isWithinRoots, refuseOutside } from "./child-workspace.ts";
import { refuseSpawn, type SpawnRefusal } from "./spawn-refusal.ts";

/**
 * Looks at the folder that a plan names, behind its links, for what only the disk can tell: a link in the workspace
 * would else lead a child out of it. Asked before anything is opened; `undefined` lets it pass.
 */
export async function checkRealWorkspace(plan: {
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
