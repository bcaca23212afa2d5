import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** The path itself where it exists, else the nearest folder above it that does. */
export function findExistingFolder(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : findExistingFolder(parent);
}
