/** Checks the paths of a call, and the words of a command that may be paths. */
import { lstat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { BoundaryVerdict, PathAccess } from "../boundaries/decide.ts";
import { ToolFailure } from "../failure.ts";
import { refuseSecretArgument } from "../files/safe-open.ts";
import { type LocatedPath, locateWorkspacePath, refuseExposedWorkspace } from "../files/workspace-path.ts";
import type { CheckVerdict, ToolCheck, ToolScope, ToolUse } from "../tool.ts";

/**
 * Refuses paths of a call, and program arguments that look like paths, that lead out of the workspace or into blocked
 * places, and files with a secret among those arguments.
 */
export function createPathSecurity(scrub: (text: string) => string): ToolCheck {
  return {
    name: "path security",
    priority: 10,
    async pre({ use, scope }) {
      for (const { path, access } of use.paths ?? []) await locateWorkspacePath(path, scope, access);
      const { command } = use;
      if (command === undefined) return undefined;
      await refuseExposedWorkspace(scope);
      await locateWorkspacePath(command.cwd, scope, "list");
      const [program = "", ...args] = command.argv;
      // The system searches a program without a path in its own folders.
      if (program.includes("/")) await locateProgram(program, command.cwd, scope);
      for (const path of listArgumentPaths(args)) {
        const located = await locateArgument(path, command.cwd, scope);
        if (located !== undefined) await refuseSecretArgument(path, located, { scrub, signal: scope.signal });
      }
      return undefined;
    },
  };
}

async function locateProgram(program: string, cwd: string, scope: ToolScope): Promise<void> {
  if (isAbsolute(program)) {
    const why = `${JSON.stringify(program)} is an absolute path; name a program by its name alone, like "ls".`;
    throw new ToolFailure("permission", why);
  }
  await locateWorkspacePath(join(cwd, program), scope, "read");
}

/** An absolute path whose first folder does not exist, such as `/api/`, is only text. */
async function locateArgument(path: string, cwd: string, scope: ToolScope): Promise<LocatedPath | undefined> {
  if (path.startsWith("~")) throw new ToolFailure("permission", `${JSON.stringify(path)} is not in the workspace.`);
  if (isAbsolute(path)) {
    if (path === "/dev/null" || !(await pathExists(`/${path.split("/").find((segment) => segment !== "") ?? ""}`)))
      return undefined;
    return locateWorkspacePath(path, scope, "read");
  }
  return locateWorkspacePath(join(cwd, path), scope, "read");
}

async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Decides about each path of a call by the boundaries of the agents. */
export const filePermission: ToolCheck = {
  name: "file permission",
  priority: 9,
  async pre({ use, scope }) {
    const named = (use.paths ?? []).map(({ path, access }) => checkPath(path, access, scope));
    const verdicts = await Promise.all([...named, ...listCommandPaths(use).map((path) => checkArgument(path, scope))]);
    const isAsked = verdicts.some((verdict) => verdict?.kind === "ask");
    return verdicts.find((verdict) => verdict?.kind === "refuse") ?? (isAsked ? { kind: "ask" } : undefined);
  },
};

async function checkPath(path: string, access: PathAccess, scope: ToolScope): Promise<CheckVerdict | undefined> {
  return buildVerdict(path, (await locateWorkspacePath(path, scope, access)).decide(access));
}

/**
 * A word that is no file of the workspace is only a word. A program may write to a file among its arguments, so it is
 * checked as if the call wrote it. For a part of how the gateway runs, which programs read as well, a person is asked.
 */
async function checkArgument(path: string, scope: ToolScope): Promise<CheckVerdict | undefined> {
  const located = await locateWorkspacePath(path, scope, "read");
  if (await located.isWriteProtected()) return { kind: "ask" };
  const isWord = located.missing !== undefined && !path.includes("/");
  return isWord ? undefined : buildVerdict(path, located.decide("write"));
}

function buildVerdict(path: string, verdict: BoundaryVerdict): CheckVerdict | undefined {
  if (verdict.kind !== "closed") return verdict.kind === "ask" ? { kind: "ask" } : undefined;
  return { kind: "refuse", failure: "permission", why: `${JSON.stringify(path)} ${verdict.why}` };
}

/** Includes the program if it is named by its path. */
function listCommandPaths({ command }: ToolUse): readonly string[] {
  if (command === undefined) return [];
  const [program = "", ...args] = command.argv;
  const named = [...(program.includes("/") ? [program] : []), ...listArgumentPaths(args)];
  return named.filter((path) => !path.startsWith("/")).map((path) => join(command.cwd, path));
}

/**
 * Lists what may be a path in a program's arguments: whole words, and what follows `=`, a short option, `@` or
 * `file://`. Only a guess about what the program does with them: a program can open files that no argument names.
 */
function listArgumentPaths(args: readonly string[]): readonly string[] {
  return args.flatMap(listPathsOf).filter((path) => path !== "" && !path.includes("\0"));
}

function listPathsOf(arg: string): readonly string[] {
  const sign = arg.indexOf("=");
  const more = sign < 0 ? [] : listPathsOf(arg.slice(sign + 1));
  if (arg.startsWith("--")) return more;
  if (arg.startsWith("-")) return [...more, ...(arg.length > 2 ? listPathsOf(arg.slice(2)) : [])];
  if (arg.startsWith("@")) return [...more, ...listPathsOf(arg.slice(1))];
  if (/^file:/i.test(arg)) return [...more, `/${arg.slice("file:".length).replace(/^\/+/, "")}`];
  return [...more, arg];
}
