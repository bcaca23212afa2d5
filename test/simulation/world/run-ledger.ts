import type { RunRow } from "@banyan/store";
import type { RunChange } from "./observation.ts";
import type { StoreMirror } from "./store-mirror.ts";

const NONE: readonly RunChange[] = [];

/** Tells what became of the runs since it was asked last. */
export class RunLedger {
  readonly #data: Pick<StoreMirror, "runs">;
  readonly #known = new Map<string, RunRow>();

  constructor(data: Pick<StoreMirror, "runs">) {
    this.#data = data;
  }

  listChanges(): readonly RunChange[] {
    const { records } = this.#data.runs;
    if (records.size === 0 && this.#known.size === 0) return NONE;
    const changes: RunChange[] = [];
    for (const { row } of records.values()) {
      const before = this.#known.get(row.runId);
      // Rows are replaced, never changed.
      if (before === row) continue;
      this.#known.set(row.runId, row);
      changes.push({ before, after: row });
    }
    if (this.#known.size === records.size) return changes;
    for (const [runId, before] of this.#known) {
      if (records.has(runId)) continue;
      this.#known.delete(runId);
      changes.push({ before, after: undefined });
    }
    return changes;
  }
}
