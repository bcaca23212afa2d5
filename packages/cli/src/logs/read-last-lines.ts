import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/**
 * The last lines of the log that are asked for, the oldest first, over all files (the oldest first); and how far the
 * newest file was read.
 */
export async function readLastLines(
  files: readonly string[],
  count: number,
  isAsked: (line: string) => boolean,
): Promise<{ readonly lines: readonly string[]; readonly offset: number }> {
  let lines: string[] = [];
  let offset = 0;
  for (const file of files) {
    const stream = createReadStream(file, "utf8");
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (isAsked(line)) lines.push(line);
      // Cut as we go: the files are larger than what anybody wants to see.
      if (lines.length >= 2 * count) lines = lines.slice(-count);
    }
    offset = stream.bytesRead;
  }
  return { lines: count === 0 ? [] : lines.slice(-count), offset };
}
