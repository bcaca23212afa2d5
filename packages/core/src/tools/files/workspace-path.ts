import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { isTokenName } from "../../config/sources/secret-file.ts";
import { type AgentBoundaries, type BoundaryVerdict, decidePath, type PathAccess } from "../boundaries/decide.ts";
import { ToolFailure } from "../failure.ts";
import { HOST_FOLDER } from "./safe-open.ts";

/** The limit of the system. */
const MAX_PATH_CHARS = 4096;

/** A path as an agent gives it. */
export const workspacePathArgument: z.ZodType<string> = z
  .string()
  .min(1)
  .max(MAX_PATH_CHARS)
  .refine((path) => !path.includes("\0"), { error: "must not hold a NUL character" });

/**
 * Not writable, in any folder: the host's folder, also that of sub-agents that work there, and `.git`, because git runs
 * programs that it names.
 */
const PROTECTED_FOLDERS: readonly string[] = [HOST_FOLDER, ".git"];

/** Which paths the tools of a session may use. */
export interface WorkspaceBounds {
  /** Absolute. */
  readonly workspaceDir: string;
  /** Absolute: nothing at or below them is shown or read, and no program runs in a workspace that contains one. */
  readonly blockedPaths: readonly string[];
  /** Absolute, at or below blocked ones: open to this session. */
  readonly openPaths: readonly string[];
  /** Absolute: readable, but no tool writes them, and no program runs in a workspace that contains one. */
  readonly listReadOnlyPaths: () => readonly string[];
  /** Of the agent and of those above it. */
  readonly boundaries: readonly AgentBoundaries[];
}

/** A path inside the workspace that is not blocked, at the time when it was resolved. */
export interface WorkspacePath {
  /** Absolute, without links. */
  readonly realPath: string;
  /** Relative to the workspace, with `/`; `.` is the workspace. */
  readonly shownPath: string;
  /** Whether something below it is closed. Takes the path without links. */
  isClosed(realPath: string, access: PathAccess): boolean;
}

/** A path inside the workspace that may not exist. */
export interface LocatedPath extends WorkspacePath {
  /** The nearest part of the path that exists, without links. */
  readonly realAnchor: string;
  /** The system's error if a part of it does not exist; `undefined`: all of it exists. */
  readonly missing?: unknown;
  /** What the boundaries decide about it. */
  decide(access: PathAccess): BoundaryVerdict;
  /** Whether no tool may write it. */
  isWriteProtected(): Promise<boolean>;
}

/**
 * Throws a `ToolFailure` for a path that is outside, blocked or closed by the boundaries, and the system's error for
 * one that does not exist.
 */
export async function resolveWorkspacePath(
  path: string,
  bounds: WorkspaceBounds,
  access: PathAccess = "read",
): Promise<WorkspacePath> {
  const located = await locateWorkspacePath(path, bounds, access);
  const verdict = located.decide(access);
  if (verdict.kind === "closed") throw buildRefusal(`${JSON.stringify(path)} ${verdict.why}`);
  if (located.missing !== undefined) throw located.missing;
  return located;
}

/** Locates a path that may not exist, without the decision of the boundaries. */
export async function locateWorkspacePath(
  path: string,
  bounds: WorkspaceBounds,
  access: PathAccess,
): Promise<LocatedPath> {
  const quoted = JSON.stringify(path);
  if (isAbsolute(path))
    throw buildRefusal(`${quoted} is an absolute path; give it relative to the workspace, like "docs".`);
  const workspaceDir = resolve(bounds.workspaceDir);
  const wanted = resolve(workspaceDir, path);
  if (!isWithin(workspaceDir, wanted)) throw buildRefusal(`${quoted} leads outside the workspace; stay inside it.`);
  const realWorkspaceDir = await realpathOfWorkspace(workspaceDir);
  // What was saved for one conversation is not for the others of the workspace.
  const blockedPaths = [...bounds.blockedPaths, join(workspaceDir, HOST_FOLDER)];
  const realBlockedPaths = await Promise.all(blockedPaths.map(resolveRealpath));
  const found = await resolveNearest(wanted);
  if (!isWithin(realWorkspaceDir, found.realAnchor)) {
    throw buildRefusal(`${quoted} goes through a link that leads outside the workspace; stay inside it.`);
  }
  // A path that is open to a session is still the host's: no tool writes there.
  const isOpen = access !== "write" && isInOpenPath(found.realPath, bounds, realWorkspaceDir);
  const isBlocked = (real: string) =>
    !isOpen &&
    (realBlockedPaths.some((blocked) => isWithin(blocked, real)) ||
      relative(realWorkspaceDir, real).split(sep).some(isTokenName));
  if (isBlocked(found.realPath)) throw buildRefusal(`${quoted} is kept from tools; leave it alone.`);
  const findProtection = () => findWriteProtection(found.realPath, bounds);
  const reason = access === "write" ? await findProtection() : undefined;
  if (reason !== undefined) throw buildRefusal(`${quoted} ${reason}`);
  const boundaries = await resolveBoundaries(bounds);
  const shownPath = relative(workspaceDir, wanted).split(sep).join("/");
  return {
    ...found,
    decide: (how) => (isOpen ? { kind: "open" } : decidePath(found.realPath, how, boundaries)),
    isWriteProtected: async () => (await findProtection()) !== undefined,
    shownPath: shownPath === "" ? "." : shownPath,
    isClosed: (below, how) => isBlocked(below) || (!isOpen && decidePath(below, how, boundaries).kind === "closed"),
  };
}

/** Returns why no tool may write there, to be placed after the path; `undefined`: a tool may write. */
async function findWriteProtection(
  realPath: string,
  { listReadOnlyPaths }: WorkspaceBounds,
): Promise<string | undefined> {
  const real = await Promise.all(listReadOnlyPaths().map(resolveRealpath));
  // A file system may ignore the case of names.
  const folded = realPath.toLowerCase();
  if (real.some((path) => isWithin(path.toLowerCase(), folded)))
    return "is a part of how Banyan runs, and no tool writes it; tell the operator what to change.";
  const segments = realPath.split(sep).map((segment) => segment.toLowerCase());
  return PROTECTED_FOLDERS.some((name) => segments.includes(name)) ? "is kept from tools; leave it alone." : undefined;
}

function resolveBoundaries({ boundaries }: WorkspaceBounds): Promise<readonly AgentBoundaries[]> {
  return Promise.all(
    boundaries.map(async ({ baseDir, rules }) => ({ rules, baseDir: await resolveRealpath(baseDir) })),
  );
}

/** Compares the path as it is written, below the real workspace: a link in its place opens nothing. */
function isInOpenPath(realPath: string, bounds: WorkspaceBounds, realWorkspaceDir: string): boolean {
  const { workspaceDir, openPaths } = bounds;
  return openPaths
    .map((path) => resolve(realWorkspaceDir, relative(resolve(workspaceDir), resolve(path))))
    .some((path) => isWithin(path, realPath));
}

/** Whether `path` is `root` or lies below it. Both absolute and normalized. */
export function isWithin(root: string, path: string): boolean {
  const relativePath = relative(root, path);
  return (
    relativePath === "" || !(relativePath === ".." || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath))
  );
}

interface ResolvedPath {
  /** Without links as far as it exists; the missing rest is as it was written. */
  readonly realPath: string;
  /** The part that exists. */
  readonly realAnchor: string;
  readonly missing?: unknown;
}

/**
 * Goes up from what cannot be resolved, so that errors reveal nothing about the target of a link that leads outside.
 */
async function resolveNearest(path: string): Promise<ResolvedPath> {
  try {
    const realPath = await realpath(path);
    return { realPath, realAnchor: realPath };
  } catch (missing) {
    const parent = dirname(path);
    if (parent === path) throw missing;
    const { realPath, realAnchor } = await resolveNearest(parent);
    return { realPath: join(realPath, basename(path)), realAnchor, missing };
  }
}

/** Resolves a path without links, as far as it exists. */
async function resolveRealpath(path: string): Promise<string> {
  return (await resolveNearest(resolve(path))).realPath;
}

async function realpathOfWorkspace(workspaceDir: string): Promise<string> {
  try {
    return await realpath(workspaceDir);
  } catch (cause) {
    throw new ToolFailure("resource", "the workspace is missing or cannot be opened; tell the operator.", { cause });
  }
}

function buildRefusal(sentence: string): ToolFailure {
  return new ToolFailure("permission", sentence);
}

const WORKSPACE_CURE = 'set the agent\'s `workspace` to a separate folder, such as "./workspace"';

/**
 * Throws a `ToolFailure` with the cure if the workspace contains the gateway's own files or code that the host runs: a
 * program opens and changes files that no argument names. Called before each program, since files are added later.
 */
export async function refuseExposedWorkspace(bounds: WorkspaceBounds): Promise<void> {
  const { workspaceDir, blockedPaths, listReadOnlyPaths } = bounds;
  const found = await findExposedPath(workspaceDir, [...blockedPaths, ...listReadOnlyPaths()]);
  if (found === undefined) return;
  const why = `the workspace ${formatExposure(found)}, so no program runs; tell the operator: ${WORKSPACE_CURE}.`;
  throw new ToolFailure("permission", why);
}

/**
 * Finds the first of the given absolute paths that a workspace contains or is inside of, also one that does not exist
 * yet. Returns it relative to the workspace (`.`: all of it); `undefined`: programs may run there.
 */
export async function findExposedPath(workspaceDir: string, own: readonly string[]): Promise<string | undefined> {
  const workspace = resolve(workspaceDir);
  const root = await resolveRealpath(workspace);
  const found = await Promise.all(own.map(listPlaces));
  for (const places of found) {
    const inside = places.find((place) => isWithin(root, place));
    if (inside !== undefined) return formatInside(root, inside);
    const named = places.find((place) => isWithin(workspace, place));
    if (named !== undefined) return formatInside(workspace, named);
    if (isWithin(places[0], root)) return ".";
  }
  return undefined;
}

/** Describes what is wrong with a workspace, to be placed after its name. */
export function formatExposure(found: string): string {
  const what = found === "." ? "is a part of the gateway" : `holds ${JSON.stringify(found)}`;
  return `${what}, which no program may reach`;
}

/** Returns the target of a path, and the path itself: a person who can replace a link in it decides what is found. */
async function listPlaces(path: string): Promise<readonly [real: string, ...ways: string[]]> {
  const [real, folder] = await Promise.all([path, dirname(path)].map(resolveRealpath));
  return [real ?? path, join(folder ?? dirname(path), basename(path)), path];
}

function formatInside(root: string, path: string): string {
  return relative(root, path).split(sep).join("/") || ".";
}
