import { join } from "node:path";
import { listArgumentPaths } from "../boundaries/argument-path.ts";
import type { PathAct, PathVerdict } from "../boundaries/decide-path.ts";
import { locateWorkspacePath } from "../files/workspace-path.ts";
import type { ToolUse } from "../tool.ts";
import type { ToolScope } from "../tool-scope.ts";
import type { CheckVerdict, ToolCheck } from "./tool-check.ts";

/** What the agents' boundaries say of each path of a call: closed, to be asked for, or open. */
export const filePermission: ToolCheck = {
  name: "file permission",
  priority: 9,
  async pre({ use, scope }) {
    const named = (use.paths ?? []).map(({ path, act }) => judgePath(path, act, scope));
    const verdicts = await Promise.all([...named, ...listArguments(use).map((path) => judgeArgument(path, scope))]);
    const isAsked = verdicts.some((verdict) => verdict?.kind === "ask");
    return verdicts.find((verdict) => verdict?.kind === "refuse") ?? (isAsked ? { kind: "ask" } : undefined);
  },
};

async function judgePath(path: string, act: PathAct, scope: ToolScope): Promise<CheckVerdict | undefined> {
  return buildVerdict(path, (await locateWorkspacePath(path, scope, act)).decide(act));
}

/**
 * A word that is no file of the workspace is a word. A program may write what it is given, so it is judged as if it did; where
 * that would be a part of how the gateway runs, which programs read as well, a person is asked.
 */
async function judgeArgument(path: string, scope: ToolScope): Promise<CheckVerdict | undefined> {
  const located = await locateWorkspacePath(path, scope, "read");
  if (await located.isKept()) return { kind: "ask" };
  const isWord = located.missing !== undefined && !path.includes("/");
  return isWord ? undefined : buildVerdict(path, located.decide("write"));
}

function buildVerdict(path: string, verdict: PathVerdict): CheckVerdict | undefined {
  if (verdict.kind !== "closed") return verdict.kind === "ask" ? { kind: "ask" } : undefined;
  return { kind: "refuse", failure: "permission", why: `${JSON.stringify(path)} ${verdict.why}` };
}

/** The program itself too, where it is named by its path. */
function listArguments({ command }: ToolUse): readonly string[] {
  if (command === undefined) return [];
  const [program = "", ...args] = command.argv;
  const named = [...(program.includes("/") ? [program] : []), ...listArgumentPaths(args)];
  return named.filter((path) => !path.startsWith("/")).map((path) => join(command.cwd, path));
}
