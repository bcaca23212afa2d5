import { closeSync, constants, fsyncSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { openPrivate } from "../database/private-file.ts";
import { writeAll } from "./line-writer.ts";

/** How far the transcripts are surely on the disk: every entry up to `pos` of the store with this id. */
export interface Watermark {
  readonly storeId: string;
  readonly pos: number;
}

/** Beside the layout, since the projector never writes the database. Missing or unreadable: nothing is sure. */
export function findWatermark(targetDir: string): Watermark | undefined {
  try {
    return parseWatermark(JSON.parse(readFileSync(getPath(targetDir), "utf8")));
  } catch {
    return undefined;
  }
}

export function writeWatermark(targetDir: string, watermark: Watermark): void {
  const temporary = `${getPath(targetDir)}.tmp`;
  const { O_CREAT, O_TRUNC, O_WRONLY } = constants;
  const fd = openPrivate(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  try {
    writeAll(fd, Buffer.from(`${JSON.stringify(watermark)}\n`));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, getPath(targetDir));
}

function getPath(targetDir: string): string {
  return join(targetDir, "readable.json");
}

function parseWatermark(value: unknown): Watermark | undefined {
  if (typeof value !== "object" || value === null || !("storeId" in value) || !("pos" in value)) return undefined;
  const { storeId, pos } = value;
  if (typeof storeId !== "string" || typeof pos !== "number" || !Number.isSafeInteger(pos)) return undefined;
  return { storeId, pos };
}
