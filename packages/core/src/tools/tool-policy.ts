/** Which tools may be used, by exact name or `*`. `deny` wins; without `allow` all are allowed. */
export interface ToolPolicy {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Tools that a person must allow, call by call. */
  readonly ask?: readonly string[];
}

/** Every policy must allow the tool: an agent's own, and those of its parents. */
export function isToolAllowed(name: string, policies: readonly ToolPolicy[]): boolean {
  return policies.every(({ allow, deny }) => {
    const isDenied = deny !== undefined && names(deny, name);
    return !isDenied && (allow === undefined || names(allow, name));
  });
}

/** One policy that asks is enough. */
export function isAskedFor(name: string, policies: readonly ToolPolicy[]): boolean {
  return policies.some(({ ask }) => ask !== undefined && names(ask, name));
}

function names(list: readonly string[], name: string): boolean {
  return list.includes("*") || list.includes(name);
}
