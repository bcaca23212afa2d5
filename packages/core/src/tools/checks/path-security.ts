import { lstat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { listArgumentPaths } from "../boundaries/argument-path.ts";
import { refuseExposedWorkspace } from "../exec/exposed-path.ts";
import { refuseSecretArgument } from "../files/refuse-secret.ts";
import { type LocatedPath, locateWorkspacePath } from "../files/workspace-path.ts";
import { ToolFailure } from "../tool-failure.ts";
import type { ToolScope } from "../tool-scope.ts";
import type { ToolCheck } from "./tool-check.ts";

/**
 * Refuses paths of a call, and program arguments that look like paths, that lead out of the workspace or into blocked
 * places, and files with a secret among those arguments.
 */
export function createPathSecurity(scrub: (text: string) => string): ToolCheck {
  return {
    name: "path security",
    priority: 10,
    async pre({ use, scope }) {
      for (const { path, act } of use.paths ?? []) await locateWorkspacePath(path, scope, act);
      const { command } = use;
      if (command === undefined) return undefined;
      await refuseExposedWorkspace(scope);
      await locateWorkspacePath(command.cwd, scope, "list");
      const [program = "", ...args] = command.argv;
      // One that is named by its name alone is looked for where the system keeps programs.
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

/** Where nothing can be, such as in `/api/`, an absolute path is no path but a text. */
async function locateArgument(path: string, cwd: string, scope: ToolScope): Promise<LocatedPath | undefined> {
  if (path.startsWith("~")) throw new ToolFailure("permission", `${JSON.stringify(path)} is not in the workspace.`);
  if (isAbsolute(path)) {
    if (path === "/dev/null" || !(await isThere(`/${path.split("/").find((segment) => segment !== "") ?? ""}`)))
      return undefined;
    return locateWorkspacePath(path, scope, "read");
  }
  return locateWorkspacePath(join(cwd, path), scope, "read");
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
