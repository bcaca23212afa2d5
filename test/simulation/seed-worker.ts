/** A thread that plays worlds, a batch at a time, and tells which broke. */
import { parentPort } from "node:worker_threads";
import { z } from "zod";
import { findDefect } from "./defects/all-defects.ts";
import { runSeed } from "./run-seed.ts";
import { WorldLog } from "./world/world-log.ts";
import { StoreRoom } from "./world/world-store.ts";

const Batch = z.object({ from: z.number(), count: z.number(), events: z.number(), defect: z.string() });

export interface BatchEnd {
  readonly seeds: number;
  readonly broken: readonly { readonly seed: number; readonly invariant: string; readonly sentence: string }[];
}

// Plans are full of failures, and nobody reads where they were made.
Error.stackTraceLimit = 0;

parentPort?.on("message", (message: unknown) => {
  const { from, count, events, defect } = Batch.parse(message);
  void playBatch(from, count, events, defect).then((end) => parentPort?.postMessage(end));
});

async function playBatch(from: number, count: number, events: number, defect: string): Promise<BatchEnd> {
  const broken: BatchEnd["broken"][number][] = [];
  const [log, room] = [new WorldLog(), new StoreRoom()];
  for (let seed = from; seed < from + count; seed += 1) {
    const end = await runSeed({ seed, events, defect: findDefect(defect), log, room });
    if (end.broken !== undefined) broken.push({ seed, ...end.broken });
  }
  room.close();
  return { seeds: count, broken };
}
