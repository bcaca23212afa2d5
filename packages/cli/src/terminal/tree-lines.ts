import { drawRunTree, trimRunTree } from "@banyan/core";
import type { ShownTree } from "../state/look-at-trees.ts";

const INDENT = "  ";

export interface TreeRoom {
  readonly now: number;
  readonly columns: number;
  /** About so many lines; what is at work comes first. */
  readonly rows: number;
}

/** Trees one below the other, each under its session's key. */
export function formatTrees(trees: readonly ShownTree[], { now, columns, rows }: TreeRoom): readonly string[] {
  if (trees.length === 0) return ["  nothing is at work; banyan runs list shows what was"];
  // A title, and what is left out.
  const most = Math.max(1, Math.floor(rows / trees.length) - 2);
  return trees.flatMap(({ sessionKey, nodes: all }) => {
    if (all.length === 0) return [`${INDENT}${sessionKey}: no sub-agents`];
    const { nodes, hidden } = trimRunTree(all, most);
    const lines = drawRunTree(nodes, { now, columns: columns - INDENT.length }).map((line) => INDENT + line);
    return [INDENT + sessionKey, ...lines, ...(hidden === 0 ? [] : [`${INDENT}and ${hidden} more: banyan runs list`])];
  });
}
