import type { Route } from "./call.ts";

interface Branch {
  readonly literals: Map<string, Branch>;
  named: { readonly name: string; readonly branch: Branch } | undefined;
  /** Routes by method. */
  readonly routes: Map<string, Route>;
}

export interface Matched {
  readonly route: Route;
  readonly path: Readonly<Record<string, string>>;
}

/** Finds the route of a request by its path, one step for each part of it. */
export class Router {
  readonly #root: Branch = buildBranch();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const [method = "", path = ""] = route.template.split(" ");
      let at = this.#root;
      for (const part of splitPath(path))
        at = part.startsWith(":") ? nameBranch(at, part.slice(1)) : growBranch(at, part);
      at.routes.set(method, route);
    }
  }

  /** "method" where the path is known, and not with this method. */
  find(method: string, path: string): Matched | "method" | undefined {
    const values: Record<string, string> = {};
    let at: Branch | undefined = this.#root;
    for (const part of splitPath(path)) {
      const literal: Branch | undefined = at.literals.get(part);
      if (literal !== undefined) {
        at = literal;
        continue;
      }
      if (at.named === undefined) return undefined;
      values[at.named.name] = decode(part);
      at = at.named.branch;
    }
    const route = at.routes.get(method);
    if (route === undefined) return at.routes.size === 0 ? undefined : "method";
    return { route, path: values };
  }
}

function splitPath(path: string): string[] {
  return path.split("/").slice(1);
}

function buildBranch(): Branch {
  return { literals: new Map(), named: undefined, routes: new Map() };
}

function growBranch(at: Branch, part: string): Branch {
  let branch = at.literals.get(part);
  if (branch === undefined) {
    branch = buildBranch();
    at.literals.set(part, branch);
  }
  return branch;
}

/** The first name that a place in the path is given holds for all routes through it. */
function nameBranch(at: Branch, name: string): Branch {
  at.named ??= { name, branch: buildBranch() };
  return at.named.branch;
}

function decode(part: string): string {
  return part.includes("%") ? decodeURIComponent(part) : part;
}
