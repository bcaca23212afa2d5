import { type BenchFolder, findBenchFolder } from "../bench-folder.ts";
import { SPAWN_CONFIG } from "../spawn-load.ts";
import { fillPast } from "./fill-past.ts";

/** A folder with so many finished runs; written once in a run of the bench. */
export async function findPast(runs: number, tell: (line: string) => void): Promise<BenchFolder> {
  const folder = findBenchFolder(`past-${runs}`, SPAWN_CONFIG);
  if (!folder.isNew) return folder;
  const begun = performance.now();
  await fillPast(`${folder.path}/state`, runs);
  tell(`${runs} finished runs were written in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  return folder;
}
