/**
 * What no workspace may hold where programs run: the gateway's own files and the code that the host runs. A program
 * opens and changes files that no argument names.
 */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isWithin, resolveRealpath, type WorkspaceBounds } from "../files/workspace-path.ts";
import { ToolFailure } from "../tool-failure.ts";

const CURE = 'set the agent\'s `workspace` to a separate folder, such as "./workspace"';

/** Throws a `ToolFailure` with the cure. Called before each program, since files are added later. */
export async function refuseExposedWorkspace(bounds: WorkspaceBounds): Promise<void> {
  const { workspaceDir, blockedPaths, listReadOnlyPaths = () => [] } = bounds;
  const found = await findExposedPath(workspaceDir, [...blockedPaths, ...listReadOnlyPaths()]);
  if (found === undefined) return;
  const why = `the workspace ${formatExposure(found)}, so no program runs; tell the operator: ${CURE}.`;
  throw new ToolFailure("permission", why);
}

/**
 * Finds the first of the given absolute paths that a workspace holds or is inside of, also one that does not exist yet.
 * Returns it relative to the workspace (`.`: all of it); `undefined`: programs may run there.
 */
export async function findExposedPath(workspaceDir: string, own: readonly string[]): Promise<string | undefined> {
  const workspace = resolve(workspaceDir);
  const root = await resolveRealpath(workspace);
  const found = await Promise.all(own.map(listPlaces));
  for (const places of found) {
    const inside = places.find((place) => isWithin(root, place));
    if (inside !== undefined) return formatWay(root, inside);
    const named = places.find((place) => isWithin(workspace, place));
    if (named !== undefined) return formatWay(workspace, named);
    if (isWithin(places[0], root)) return ".";
  }
  return undefined;
}

/** Describes what is wrong with a workspace, to be placed after its name. */
export function formatExposure(found: string): string {
  const what = found === "." ? "is a part of the gateway" : `holds ${JSON.stringify(found)}`;
  return `${what}, which no program may reach`;
}

/** Where a path leads, and the path itself: whoever replaces a link in it decides what is found. */
async function listPlaces(path: string): Promise<readonly [real: string, ...ways: string[]]> {
  const [real, folder] = await Promise.all([path, dirname(path)].map(resolveRealpath));
  return [real ?? path, join(folder ?? dirname(path), basename(path)), path];
}

function formatWay(root: string, path: string): string {
  return relative(root, path).split(sep).join("/") || ".";
}
