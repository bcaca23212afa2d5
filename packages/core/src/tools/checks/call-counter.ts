import type { ToolCheck } from "./tool-check.ts";

/** Tool calls since the gateway began, by how they ended. */
export interface ToolCounts {
  readonly done: number;
  readonly failed: number;
  readonly refused: number;
}

/** Counts each call once; the last of the chain, for it neither refuses nor changes anything. */
export function createCallCounter(): { readonly check: ToolCheck; readonly read: () => ToolCounts } {
  const counts = { done: 0, failed: 0, refused: 0 };
  return {
    check: {
      name: "call counter",
      priority: 1,
      settle(_call, { kind, result }) {
        if (kind === "ran") counts[result.isError ? "failed" : "done"] += 1;
        else if (kind !== "stopped") counts.refused += 1;
      },
    },
    read: () => ({ ...counts }),
  };
}
