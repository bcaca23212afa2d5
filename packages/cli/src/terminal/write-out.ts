import { once } from "node:events";

/** Writes to standard output and waits while its reader is slow, so that a large listing is never held in memory. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

export function writeLines(lines: readonly string[]): Promise<void> {
  return lines.length === 0 ? Promise.resolve() : writeOut(`${lines.join("\n")}\n`);
}

/** One JSON document. */
export function writeJson(value: unknown): Promise<void> {
  return writeOut(`${JSON.stringify(value, null, 2)}\n`);
}
