import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";

/** A character that was torn in the middle is left out: what stands before it is the prefix. */
export function readPrefix(path: string): string {
  return readFileSync(path, "utf8").replace(/\uFFFD+$/, "");
}

export function readText(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(path, "utf8");
}

export function listNames(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
}

export function truncateSafely(path: string, size: number): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) truncateSync(path, size);
}

/** A block that never came to the disk, while those behind it did. */
export function punchHole(path: string, from: number, bytes: number): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const content = readFileSync(path);
  content.subarray(from, from + bytes).fill(0);
  writeFileSync(path, content);
}

export function canParse(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
