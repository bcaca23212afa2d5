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
/** For one batch, which takes a second or so: no limit on the whole, whose length depends on the machine. */
const HANGS_AFTER_MS = 180_000;

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
        const first = next;
        next += count;
        worker.postMessage({ from: first, count, events, defect });
        const batch = await awaitBatch(worker, first, count);
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

async function awaitBatch(worker: Worker, from: number, count: number): Promise<BatchEnd> {
  const limit = AbortSignal.timeout(HANGS_AFTER_MS);
  try {
    const [batch]: BatchEnd[] = await once(worker, "message", { signal: limit });
    if (batch !== undefined) return batch;
  } catch (error) {
    if (!limit.aborted) throw error;
  }
  const last = from + count - 1;
  throw new Error(
    `playing the worlds of seeds ${from} to ${last}: no end after ${HANGS_AFTER_MS / 1_000} s; play each alone`,
  );
}
