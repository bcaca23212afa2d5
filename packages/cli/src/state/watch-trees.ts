import { hasUnfinished, listTreeRuns, type RunRecord, type RunStatus } from "@banyan/core";
import type { ShownTree } from "./look-at-trees.ts";

export interface WatchParts {
  look(): Promise<readonly ShownTree[]>;
  show(trees: readonly ShownTree[]): Promise<void>;
  /** Resolves when it is time for the next look; `false`: nobody watches any more. */
  pause(): Promise<boolean>;
}

/** Shows trees as they go on, until nothing in them is at work. */
export async function watchTrees({ look, show, pause }: WatchParts): Promise<void> {
  do {
    const trees = await look();
    await show(trees);
    if (!trees.some(({ nodes }) => hasUnfinished(nodes))) return;
  } while (await pause());
}

/** Gives of each look the runs that fare otherwise than at the one before. */
export class ChangedRuns {
  readonly #known = new Map<string, RunStatus>();

  take(trees: readonly ShownTree[]): readonly RunRecord[] {
    const runs = trees.flatMap(({ nodes }) => listTreeRuns(nodes));
    const changed = runs.filter(({ runId, status }) => this.#known.get(runId) !== status);
    for (const { runId, status } of changed) this.#known.set(runId, status);
    return changed;
  }
}
