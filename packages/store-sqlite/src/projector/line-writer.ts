import { writeSync } from "node:fs";
import type { FaultPoint } from "@banyan/plugin-sdk";

/** Writes whole lines at the end of an open file. */
export type LineWriter = (fd: number, lines: readonly string[]) => void;

/** Without a fault point many lines are one write; with one each line comes in quarters, so that it can be torn. */
export function createLineWriter(faultPoint: FaultPoint | undefined): LineWriter {
  if (faultPoint === undefined) {
    return (fd, lines) => writeAll(fd, Buffer.from(`${lines.join("\n")}\n`));
  }
  return (fd, lines) => {
    for (const line of lines) writeQuarters(fd, Buffer.from(`${line}\n`), faultPoint);
  };
}

/** A write may take less than it was given, on a full disk for instance. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

function writeQuarters(fd: number, bytes: Uint8Array, faultPoint: FaultPoint): void {
  for (const quarter of [1, 2, 3, 4]) {
    const start = Math.floor((bytes.length * (quarter - 1)) / 4);
    writeAll(fd, bytes.subarray(start, Math.floor((bytes.length * quarter) / 4)));
    faultPoint(`jsonl.append.q${quarter}`);
  }
}
