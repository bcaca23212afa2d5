import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { BatchEnd } from "./seed-worker.ts";

export interface SeedRange {
  readonly from: number;
  readonly seeds: number;
  readonly events: number;
  /** By name; `none` for the product as it is. */
  readonly defect: string;
  readonly threads: number;
  /** Ends with the first broken seeds instead of with the last seed. */
  readonly isImpatient?: boolean;
  readonly onProgress?: (done: number, broken: number) => void;
}

export interface RangeEnd {
  readonly seeds: number;
  readonly durationMs: number;
  /** By seed, ascending. */
  readonly broken: BatchEnd["broken"];
}

const BATCH_SEEDS = 25;

/** Plays the worlds of many seeds, on several threads. */
export async function runSeeds(range: SeedRange): Promise<RangeEnd> {
  const { from, seeds, events, defect, threads, isImpatient = false, onProgress } = range;
  const startedAt = performance.now();
  const broken: BatchEnd["broken"][number][] = [];
  let next = from;
  let done = 0;
  const end = from + seeds;
  const play = async () => {
    const worker = new Worker(new URL("./seed-worker.ts", import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 96 },
    });
    try {
      while (next < end && !(isImpatient && broken.length > 0)) {
        const count = Math.min(BATCH_SEEDS, end - next);
        worker.postMessage({ from: next, count, events, defect });
        next += count;
        const [batch]: BatchEnd[] = await once(worker, "message");
        if (batch === undefined) break;
        done += batch.seeds;
        broken.push(...batch.broken);
        onProgress?.(done, broken.length);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: threads }, play));
  return {
    seeds: done,
    durationMs: performance.now() - startedAt,
    broken: broken.toSorted((one, other) => one.seed - other.seed),
  };
}
