import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { ToolFailure } from "../tool-failure.ts";

/** What the system takes at most. */
const PATH_LIMIT_CHARS = 4096;

/** A path as an agent gives it. */
export const workspacePathArgument: z.ZodType<string> = z
  .string()
  .min(1)
  .max(PATH_LIMIT_CHARS)
  .refine((path) => !path.includes("\0"), { error: "must not hold a NUL character" });

export interface WorkspaceBounds {
  readonly workspaceDir: string;
  readonly blockedPaths: readonly string[];
  /** Absolute, in the workspace: what may be read although it lies in something blocked. */
  readonly openPaths?: readonly string[];
}

/** A path that lies inside the workspace and is not blocked, as it stood when it was resolved. */
export interface WorkspacePath {
  /** Absolute, without links. */
  readonly realPath: string;
  /** Relative to the workspace, with `/`; `.` is the workspace. */
  readonly shownPath: string;
  /** Blocked paths without links, for what lies below; none in what is open. */
  readonly realBlockedPaths: readonly string[];
}

/** Throws a `ToolFailure` for what lies outside or is blocked, the system's error for what is not there. */
export async function resolveWorkspacePath(path: string, bounds: WorkspaceBounds): Promise<WorkspacePath> {
  const quoted = JSON.stringify(path);
  if (isAbsolute(path)) throw refusal(`${quoted} is an absolute path; give it relative to the workspace, like "docs".`);
  const workspaceDir = resolve(bounds.workspaceDir);
  const wanted = resolve(workspaceDir, path);
  if (!isWithin(workspaceDir, wanted)) throw refusal(`${quoted} leads outside the workspace; stay inside it.`);
  const realWorkspaceDir = await realpathOfWorkspace(workspaceDir);
  const realBlockedPaths = await Promise.all(bounds.blockedPaths.map((blocked) => realpathOrItself(resolve(blocked))));
  const found = await findRealpath(wanted);
  if (!isWithin(realWorkspaceDir, found.realPath)) {
    throw refusal(`${quoted} goes through a link that leads outside the workspace; stay inside it.`);
  }
  const isOpen = isOpened(found.realPath, bounds, realWorkspaceDir);
  if (!isOpen && realBlockedPaths.some((blocked) => isWithin(blocked, found.realPath))) {
    throw refusal(`${quoted} is kept from tools; leave it alone.`);
  }
  if (found.missing !== undefined) throw found.missing;
  const shownPath = relative(workspaceDir, wanted).split(sep).join("/");
  return {
    realPath: found.realPath,
    shownPath: shownPath === "" ? "." : shownPath,
    realBlockedPaths: isOpen ? [] : realBlockedPaths,
  };
}

/** Compared as it is written, below the real workspace: what is behind a link in its place is not open. */
function isOpened(realPath: string, bounds: WorkspaceBounds, realWorkspaceDir: string): boolean {
  const { workspaceDir, openPaths = [] } = bounds;
  return openPaths
    .map((path) => resolve(realWorkspaceDir, relative(resolve(workspaceDir), resolve(path))))
    .some((path) => isWithin(path, realPath));
}

/** Whether `path` is `root` or lies below it. Both absolute and normalized. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

interface FoundPath {
  /** Of the path, or of the nearest ancestor that can be resolved. */
  readonly realPath: string;
  /** Why it is only an ancestor. */
  readonly missing?: unknown;
}

/** Goes up from what cannot be resolved, so that errors tell nothing about what lies behind a link that leads outside. */
async function findRealpath(path: string): Promise<FoundPath> {
  try {
    return { realPath: await realpath(path) };
  } catch (missing) {
    const parent = dirname(path);
    if (parent === path) throw missing;
    return { realPath: (await findRealpath(parent)).realPath, missing };
  }
}

async function realpathOrItself(path: string): Promise<string> {
  const found = await findRealpath(path);
  return found.missing === undefined ? found.realPath : path;
}

async function realpathOfWorkspace(workspaceDir: string): Promise<string> {
  try {
    return await realpath(workspaceDir);
  } catch (cause) {
    throw new ToolFailure("resource", "the workspace is missing or cannot be opened; tell the operator.", { cause });
  }
}

function refusal(sentence: string): ToolFailure {
  return new ToolFailure("permission", sentence);
}
