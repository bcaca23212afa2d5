import { relative, sep } from "node:path";
import type { PathPermission } from "../../config/shapes/tool-boundaries.ts";
import type { AgentBoundaries } from "./agent-boundaries.ts";
import { matchPath } from "./path-pattern.ts";

/** `list`: the names in a folder. */
export type PathAct = "read" | "write" | "list";

export type PathVerdict =
  | { readonly kind: "open" | "ask" }
  /** A sentence for the agent, behind the path. */
  | { readonly kind: "closed"; readonly why: string };

const OPEN: PathVerdict = { kind: "open" };

/** What all boundaries together say of a path without links: one that closes it is enough, then one that asks. */
export function decidePath(realPath: string, act: PathAct, boundaries: readonly AgentBoundaries[]): PathVerdict {
  const verdicts = boundaries.map((each) => decideByOne(realPath, act, each));
  const closed = verdicts.find(({ kind }) => kind === "closed");
  return closed ?? verdicts.find(({ kind }) => kind === "ask") ?? OPEN;
}

function decideByOne(realPath: string, act: PathAct, { baseDir, rules }: AgentBoundaries): PathVerdict {
  const { allow, block = [], permissions = {} } = rules.paths ?? {};
  const way = relative(baseDir, realPath).split(sep).join("/");
  const path = way === "" ? "." : way;
  if (block.some((pattern) => matchPath(pattern, path) === "yes")) return closed("is closed to you; leave it alone.");
  if (allow !== undefined && !isAllowed(allow, path, act))
    return closed(`is outside what is open to you: ${allow.join(", ") || "nothing"}.`);
  switch (findPermission(permissions, path)) {
    case "deny":
      return closed("is closed to you; leave it alone.");
    case "read":
      return act === "write" ? closed("may be read, not written.") : OPEN;
    case "ask":
      return { kind: "ask" };
    default:
      return OPEN;
  }
}

/** What lies outside of whose rules these are is never on their list. A folder above what is allowed can be listed: only what is allowed is shown in it. */
function isAllowed(allow: readonly string[], path: string, act: PathAct): boolean {
  if (path === ".." || path.startsWith("../")) return false;
  const matches = allow.map((pattern) => matchPath(pattern, path));
  return matches.includes("yes") || (act === "list" && matches.includes("above"));
}

/** The strictest first. */
const STRICTNESS: readonly PathPermission[] = ["deny", "ask", "read", "write"];

/** The longest pattern that means the path decides; of two as long, the stricter. */
function findPermission(
  permissions: Readonly<Record<string, PathPermission>>,
  path: string,
): PathPermission | undefined {
  const meant = Object.entries(permissions).filter(([pattern]) => matchPath(pattern, path) === "yes");
  const longest = Math.max(...meant.map(([pattern]) => pattern.length));
  const said = meant.filter(([pattern]) => pattern.length === longest).map(([, permission]) => permission);
  return STRICTNESS.find((permission) => said.includes(permission));
}

function closed(why: string): PathVerdict {
  return { kind: "closed", why };
}
