import { createHash } from "node:crypto";
import { constants, open, rename, rm } from "node:fs/promises";
import { basename, dirname, relative, sep } from "node:path";
import type { ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import { formatShownPath } from "../../ports/shown-path.ts";
import { defineTool } from "../definition.ts";
import { ToolFailure } from "../failure.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { findStats, openRealFolder, type RealFolder } from "./safe-open.ts";
import { locateWorkspacePath, workspacePathArgument } from "./workspace-path.ts";

const FILE_MODE = 0o644;
const MODE_BITS = 0o777;

interface WriteFileArgs {
  readonly path: string;
  readonly content: string;
}

const args: z.ZodType<WriteFileArgs> = z.strictObject({
  path: workspacePathArgument.describe("The file, relative to the workspace. Folders that are missing are made."),
  content: z.string().describe("All of its text; the old content is replaced."),
});

/**
 * Creates a tool that writes a new file next to the old one and renames it: no reader ever sees half of it, not even
 * after a power cut.
 */
export function createWriteFileTool(): Tool {
  return defineTool({
    name: "write_file",
    description: "Writes a text file of the workspace, whole: the old content is replaced.",
    args,
    // Writing the same content again changes nothing.
    isRepeatable: true,
    effect: "writes",
    use: ({ path, content }) => ({ paths: [{ path, access: "write" }], writeBytes: Buffer.byteLength(content) }),
    run: writeFile,
  });
}

async function writeFile({ path, content }: WriteFileArgs, context: ToolContext): Promise<ToolResult> {
  const located = await locateWorkspacePath(path, context, "write");
  const verdict = located.decide("write");
  if (verdict.kind === "closed") throw new ToolFailure("permission", `${JSON.stringify(path)} ${verdict.why}`);
  const { realPath, realAnchor, shownPath } = located;
  const isMissing = located.missing !== undefined;
  const missing = isMissing ? relative(realAnchor, dirname(realPath)).split(sep).filter(Boolean) : [];
  if (shownPath === ".") throw new ToolFailure("error", "it is the workspace; name a file in it.");
  const folder = await openRealFolder(isMissing ? realAnchor : dirname(realPath), missing);
  try {
    context.signal.throwIfAborted();
    const sizeBytes = await replaceFile(folder, basename(realPath), content, context);
    return { text: `[${formatShownPath(shownPath)}: ${sizeBytes} bytes]\nIt is written.`, isError: false };
  } finally {
    await folder.handle.close();
  }
}

async function replaceFile(folder: RealFolder, name: string, content: string, { event }: ToolContext): Promise<number> {
  const place = folder.pathOf(name);
  const before = await findStats(place);
  if (before?.isDirectory()) throw new ToolFailure("error", "it is a directory; name a file.");
  if (before !== undefined && !before.isFile())
    throw new ToolFailure("permission", "it is a pipe, socket, link or device, not a file.");
  // The same name in a later attempt of the turn, which so removes the file that an earlier attempt left.
  const key = createHash("sha256").update(`${event.turnId}|${event.call.ordinal}`).digest("hex").slice(0, 16);
  const partPath = folder.pathOf(`.banyan-${key}.part`);
  await rm(partPath, { force: true });
  try {
    const sizeBytes = await writeNew(partPath, content, before === undefined ? FILE_MODE : before.mode & MODE_BITS);
    await rename(partPath, place);
    await folder.handle.sync();
    return sizeBytes;
  } catch (cause) {
    await rm(partPath, { force: true });
    throw cause;
  }
}

async function writeNew(path: string, content: string, mode: number): Promise<number> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, mode);
  try {
    const bytes = Buffer.from(content, "utf8");
    await file.writeFile(bytes);
    await file.sync();
    return bytes.length;
  } finally {
    await file.close();
  }
}
