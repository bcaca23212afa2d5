import { lstat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { listArgumentPaths } from "../boundaries/argument-path.ts";
import { refuseExposedWorkspace } from "../exec/exposed-path.ts";
import { locateWorkspacePath } from "../files/workspace-path.ts";
import { ToolFailure } from "../tool-failure.ts";
import type { ToolScope } from "../tool-scope.ts";
import type { ToolCheck } from "./tool-check.ts";

/** No path of a call, and no argument of a program that looks like one, leads out of the workspace or into what is blocked. */
export const pathSecurity: ToolCheck = {
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
    for (const path of listArgumentPaths(args)) await locateArgument(path, command.cwd, scope);
    return undefined;
  },
};

async function locateProgram(program: string, cwd: string, scope: ToolScope): Promise<void> {
  if (isAbsolute(program)) {
    const why = `${JSON.stringify(program)} is an absolute path; name a program by its name alone, like "ls".`;
    throw new ToolFailure("permission", why);
  }
  await locateWorkspacePath(join(cwd, program), scope, "read");
}

/** Where nothing can be, such as in `/api/`, an absolute path is no path but a text. */
async function locateArgument(path: string, cwd: string, scope: ToolScope): Promise<void> {
  if (path.startsWith("~")) throw new ToolFailure("permission", `${JSON.stringify(path)} is not in the workspace.`);
  if (isAbsolute(path)) {
    if (path === "/dev/null" || !(await isThere(`/${path.split("/").find((segment) => segment !== "") ?? ""}`))) return;
    await locateWorkspacePath(path, scope, "read");
    return;
  }
  await locateWorkspacePath(join(cwd, path), scope, "read");
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
