import { isUtf8 } from "node:buffer";
import type { ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { Ports } from "../../ports/ports.ts";
import { LONGEST_SECRET_CHARS } from "../../ports/secret-scrubber.ts";
import { formatShownPath } from "../../ports/shown-path.ts";
import { defineTool } from "../definition.ts";
import { ToolFailure } from "../failure.ts";
import { findUtf8Boundary } from "../output.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { openRegularFile, readRange, refuseSecret, refuseSecretFile } from "./safe-open.ts";
import { resolveWorkspacePath, workspacePathArgument } from "./workspace-path.ts";

/** The longest character of UTF-8: a smaller page could be empty, and reading on would not advance. */
const MIN_PAGE_BYTES = 4;
/** A byte that is not UTF-8 becomes a replacement character of three bytes. */
const BYTES_PER_REPLACEMENT = 3;

interface ReadFileArgs {
  readonly path: string;
  readonly maxBytes?: number | undefined;
  readonly offset?: number | undefined;
}

const args: z.ZodType<ReadFileArgs> = z.strictObject({
  path: workspacePathArgument.describe("The file, relative to the workspace."),
  maxBytes: z.int().min(MIN_PAGE_BYTES).optional().describe("At most so many bytes; there is a limit anyway."),
  offset: z.int().min(0).optional().describe("The byte to begin with, to continue after an earlier answer."),
});

/**
 * Creates a tool whose answer begins with the line `[path: bytes F to T of N]`, so that no text of a file can be taken
 * for the tool's own, and continues with the unchanged text. The demo agent reads that line.
 */
export function createReadFileTool(ports: Pick<Ports, "scrub">): Tool {
  return defineTool({
    name: "read_file",
    description:
      "Reads a text file of the workspace. The first line of the answer says which bytes follow, [path: bytes FROM to " +
      "TO of SIZE]; read on with offset = TO while TO is smaller than SIZE. Binary files are refused.",
    args,
    isRepeatable: true,
    use: ({ path }) => ({ paths: [{ path, access: "read" }] }),
    run: (wanted, context) => readFile(wanted, context, ports),
  });
}

async function readFile(
  wanted: ReadFileArgs,
  context: ToolContext,
  { scrub }: Pick<Ports, "scrub">,
): Promise<ToolResult> {
  const path = await resolveWorkspacePath(wanted.path, context);
  const { handle, size } = await openRegularFile(path.realPath);
  try {
    const from = wanted.offset ?? 0;
    if (from > 0 && from >= size) {
      throw new ToolFailure("error", `offset ${from} is at or after the end; the file has ${size} bytes.`);
    }
    const room = getRoomBytes(formatRange(path.shownPath, size, size, size), wanted, context);
    await refuseSecretFile(handle, { scrub, signal: context.signal });
    const bytes = await readRange(handle, from, Math.min(room, size - from));
    // The file may have changed since: the part shared with neighbouring pages is read again.
    const sharedFrom = Math.max(0, from - LONGEST_SECRET_CHARS);
    const before = await readRange(handle, sharedFrom, from - sharedFrom);
    const after = await readRange(handle, from + bytes.length, LONGEST_SECRET_CHARS);
    refuseSecret(Buffer.concat([before, bytes, after]), scrub);
    if (bytes.includes(0)) throw new ToolFailure("error", `it is binary, with ${size} bytes; only text can be read.`);
    const page = cutPage(bytes, from + bytes.length < size, room);
    const to = from + page.length;
    return { text: `${formatRange(path.shownPath, from, to, size)}\n${page.toString("utf8")}`, isError: false };
  } finally {
    await handle.close();
  }
}

/** Ends between two characters if more follows; shorter if replacement characters would exceed the limit. */
function cutPage(bytes: Buffer, hasMore: boolean, room: number): Buffer {
  const whole = hasMore ? bytes.subarray(0, findUtf8Boundary(bytes, bytes.length)) : bytes;
  if (isUtf8(whole)) return whole;
  return whole.subarray(0, Math.max(MIN_PAGE_BYTES, Math.floor(room / BYTES_PER_REPLACEMENT)));
}

function getRoomBytes(longestHeader: string, { maxBytes }: ReadFileArgs, { limits }: ToolContext): number {
  const afterHeader = limits.outputLimitBytes - Buffer.byteLength(longestHeader) - 1;
  const room = Math.min(maxBytes ?? Number.POSITIVE_INFINITY, limits.readLimitBytes, afterHeader);
  return Math.max(MIN_PAGE_BYTES, room);
}

function formatRange(shownPath: string, from: number, to: number, of: number): string {
  return `[${formatShownPath(shownPath)}: bytes ${from} to ${to} of ${of}]`;
}
