import { lstat } from "node:fs/promises";
import type { ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { Tool, ToolContext } from "../tool.ts";
import { defineTool } from "../tool-definition.ts";
import { ToolFailure } from "../tool-failure.ts";
import { WALK_LIMIT_NAMES, walkDirectory } from "./directory-walk.ts";
import { formatListing } from "./listing.ts";
import { resolveWorkspacePath, workspacePathArgument } from "./workspace-path.ts";

const DEFAULT_DEPTH = 4;
/** Deeper trees are made by programs. */
const DEPTH_LIMIT = 32;

interface ListFilesArgs {
  readonly dir: string;
  readonly depth?: number | undefined;
}

const args: z.ZodType<ListFilesArgs> = z.strictObject({
  dir: workspacePathArgument.describe('The directory, relative to the workspace; "." is the workspace.'),
  depth: z
    .int()
    .min(1)
    .max(DEPTH_LIMIT)
    .optional()
    .describe(`How deep to go: 1 is the directory alone; default ${DEFAULT_DEPTH}.`),
});

export function createListFilesTool(): Tool {
  return defineTool({
    name: "list_files",
    description:
      "Lists the files below a directory of the workspace, one a line: a file as path, tab and bytes; a directory with " +
      "/ at its end; a link, which is not followed, with @. Hidden entries and node_modules are left out unless dir " +
      "names one. Lines in brackets say what is missing.",
    args,
    isRepeatable: true,
    use: ({ dir }) => ({ paths: [{ path: dir, act: "list" }] }),
    run: listFiles,
  });
}

async function listFiles({ dir, depth = DEFAULT_DEPTH }: ListFilesArgs, context: ToolContext): Promise<ToolResult> {
  const path = await resolveWorkspacePath(dir, context, "list");
  if (!(await lstat(path.realPath)).isDirectory()) throw new ToolFailure("error", "it is no directory; use read_file.");
  const limits = { depth, entries: context.limits.listingLimitEntries, names: WALK_LIMIT_NAMES };
  const walk = await walkDirectory(path, limits, context.signal);
  return { text: formatListing(path.shownPath, walk, context.limits.outputLimitBytes), isError: false };
}
