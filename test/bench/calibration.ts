import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./median.ts";

/** Where the absolute bars were set: two cores, node 24.21, a bare node in this time. */
const REFERENCE_NODE_MS = 26;
const NODE_STARTS = 9;
const SYNCS = 200;
const PAGE = "x".repeat(4096);

/** What this machine does today. */
export interface Calibration {
  /** Median of a bare node from its spawn to its end. */
  readonly bareNodeMs: number;
  /** Median of one 4 KiB append with its sync, where the state directories of the bench stand. */
  readonly fsyncMs: number;
  /** By this a bar for a start is multiplied. */
  readonly startScale: number;
}

export function calibrate(): Calibration {
  const bareNodeMs = measureBareNode();
  return { bareNodeMs, fsyncMs: measureSync(), startScale: bareNodeMs / REFERENCE_NODE_MS };
}

function measureBareNode(): number {
  const times = Array.from({ length: NODE_STARTS }, () => {
    const begun = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    return performance.now() - begun;
  });
  return median(times);
}

function measureSync(): number {
  const folder = mkdtempSync(join(tmpdir(), "banyan-fsync-"));
  const file = openSync(join(folder, "file"), "w");
  const times = Array.from({ length: SYNCS }, () => {
    const begun = performance.now();
    writeSync(file, PAGE);
    fsyncSync(file);
    return performance.now() - begun;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return median(times);
}
