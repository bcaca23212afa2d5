import type { Dirent } from "node:fs";
import { lstat, opendir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import { formatShownPath } from "../../ports/shown-path.ts";
import { defineTool } from "../definition.ts";
import { parseSystemFailure, ToolFailure } from "../failure.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { resolveWorkspacePath, type WorkspacePath, workspacePathArgument } from "./workspace-path.ts";

const DEFAULT_DEPTH = 4;
/** Only programs create deeper trees. */
const MAX_DEPTH = 32;

interface ListFilesArgs {
  readonly dir: string;
  readonly depth?: number | undefined;
}

const args: z.ZodType<ListFilesArgs> = z.strictObject({
  dir: workspacePathArgument.describe('The directory, relative to the workspace; "." is the workspace.'),
  depth: z
    .int()
    .min(1)
    .max(MAX_DEPTH)
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
    use: ({ dir }) => ({ paths: [{ path: dir, access: "list" }] }),
    run: listFiles,
  });
}

async function listFiles({ dir, depth = DEFAULT_DEPTH }: ListFilesArgs, context: ToolContext): Promise<ToolResult> {
  const path = await resolveWorkspacePath(dir, context, "list");
  if (!(await lstat(path.realPath)).isDirectory()) throw new ToolFailure("error", "it is no directory; use read_file.");
  const limits = { depth, entries: context.limits.listingLimitEntries, names: MAX_WALKED_NAMES };
  const walk = await walkDirectory(path, limits, context.signal);
  return { text: formatListing(path.shownPath, walk, context.limits.outputLimitBytes), isError: false };
}

/** Names read in one listing, including skipped ones: some directories contain millions. */
const MAX_WALKED_NAMES = 50_000;

interface WalkLimits {
  /** 1 is only the directory. */
  readonly depth: number;
  readonly entries: number;
  readonly names: number;
}

type WalkedEntry =
  | { readonly kind: "file"; readonly shownPath: string; readonly bytes: number }
  | { readonly kind: "directory" | "link"; readonly shownPath: string };

/** Why an entry is not shown. `special` is a pipe, socket or device. */
type SkipReason = "hidden" | "node_modules" | "blocked" | "special" | "unreadable";

interface Walk {
  /** Depth first, names by code units: the same tree is always the same list. */
  readonly entries: readonly WalkedEntry[];
  readonly skipped: ReadonlyMap<SkipReason, number>;
  /** Whether a directory below the depth was not entered. */
  readonly isDeeper: boolean;
  /** The limit that ended the walk. */
  readonly cutBy?: "entries" | "names";
}

/** Walks a directory without following links, so it cannot leave it or go in circles. */
export async function walkDirectory(start: WorkspacePath, limits: WalkLimits, signal: AbortSignal): Promise<Walk> {
  const walk = new DirectoryWalk(start.isClosed, limits, signal);
  await walk.enter(start.realPath, start.shownPath, 1);
  return walk;
}

class DirectoryWalk implements Walk {
  readonly entries: WalkedEntry[] = [];
  readonly skipped: Map<SkipReason, number> = new Map();
  isDeeper = false;
  cutBy?: "entries" | "names";
  #names = 0;
  readonly #isClosed: WorkspacePath["isClosed"];
  readonly #limits: WalkLimits;
  readonly #signal: AbortSignal;

  constructor(isClosed: WorkspacePath["isClosed"], limits: WalkLimits, signal: AbortSignal) {
    this.#isClosed = isClosed;
    this.#limits = limits;
    this.#signal = signal;
  }

  async enter(realDir: string, shownDir: string, depth: number): Promise<void> {
    for (const dirent of await this.#read(realDir)) {
      this.#signal.throwIfAborted();
      if (this.cutBy !== undefined && this.entries.length >= this.#limits.entries) return;
      const realPath = join(realDir, dirent.name);
      const reason = this.#skipReasonOf(dirent, realPath);
      const shownPath = shownDir === "." ? dirent.name : `${shownDir}/${dirent.name}`;
      if (reason !== undefined) this.#skip(reason);
      else if (this.entries.length >= this.#limits.entries) this.cutBy = "entries";
      else await this.#unlessUnreadable(() => this.#add(dirent, realPath, shownPath, depth));
    }
  }

  async #add(dirent: Dirent, realPath: string, shownPath: string, depth: number): Promise<void> {
    if (dirent.isSymbolicLink()) this.entries.push({ kind: "link", shownPath });
    else if (dirent.isFile()) this.entries.push({ kind: "file", shownPath, bytes: (await lstat(realPath)).size });
    else {
      this.entries.push({ kind: "directory", shownPath });
      if (depth < this.#limits.depth) await this.enter(realPath, shownPath, depth + 1);
      else this.isDeeper = true;
    }
  }

  /** Reads the names of a directory in order, up to the limit of the walk. */
  async #read(realDir: string): Promise<Dirent[]> {
    const dirents: Dirent[] = [];
    for await (const dirent of await opendir(realDir)) {
      if (this.#names >= this.#limits.names) {
        this.cutBy ??= "names";
        break;
      }
      this.#names += 1;
      dirents.push(dirent);
    }
    // Replaced by a link during the read: its names may be from outside.
    if ((await realpath(realDir)) !== realDir) return [];
    return dirents.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  #skipReasonOf(dirent: Dirent, realPath: string): SkipReason | undefined {
    if (this.#isClosed(realPath, dirent.isDirectory() ? "list" : "read")) return "blocked";
    if (dirent.name.startsWith(".")) return "hidden";
    if (dirent.name === "node_modules") return "node_modules";
    return dirent.isFile() || dirent.isDirectory() || dirent.isSymbolicLink() ? undefined : "special";
  }

  #skip(reason: SkipReason): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  /** An entry that disappears or is forbidden does not end the walk. */
  async #unlessUnreadable(add: () => Promise<void>): Promise<void> {
    try {
      await add();
    } catch (cause) {
      if (parseSystemFailure(cause) === undefined) throw cause;
      this.#skip("unreadable");
    }
  }
}

/** The part of the output limit that is kept for the notices at the end, which are short and few. */
const NOTICE_ROOM_BYTES = 1000;

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  hidden: "hidden",
  node_modules: "node_modules",
  blocked: "kept from tools",
  special: "pipe, socket or device",
  unreadable: "unreadable",
};

/**
 * Formats the answer of `list_files`: a file is `path<TAB>bytes`, a directory `path/`, a link `path@`, a notice is in
 * brackets. A path with unusual characters is a JSON string. The demo agent reads these lines.
 */
function formatListing(shownDir: string, walk: Walk, limitBytes: number): string {
  const lines: string[] = [];
  let roomBytes = limitBytes - NOTICE_ROOM_BYTES;
  for (const entry of walk.entries) {
    const line = formatEntry(entry);
    roomBytes -= Buffer.byteLength(line) + 1;
    if (roomBytes < 0) break;
    lines.push(line);
  }
  return [...lines, ...listNotices(shownDir, walk, lines.length)].join("\n");
}

function formatEntry(entry: WalkedEntry): string {
  const path = formatShownPath(entry.shownPath);
  if (entry.kind === "file") return `${path}\t${entry.bytes}`;
  return entry.kind === "directory" ? `${path}/` : `${path}@`;
}

function listNotices(shownDir: string, walk: Walk, shown: number): string[] {
  const notices: string[] = [];
  if (walk.entries.length === 0) notices.push("nothing to show here");
  const skipped = [...walk.skipped].map(([reason, count]) => `${count} ${SKIPPED[reason]}`).sort();
  if (skipped.length > 0) notices.push(`skipped: ${skipped.join(", ")}`);
  if (walk.isDeeper) notices.push("there are deeper directories; ask with a larger depth, or for one of them");
  const isCut = walk.cutBy !== undefined || shown < walk.entries.length;
  if (isCut)
    notices.push(`cut after ${shown} entries: there are more; ask for a directory below ${formatPlace(shownDir)}`);
  return notices.map((notice) => `[${notice}]`);
}

function formatPlace(shownDir: string): string {
  return shownDir === "." ? "this one" : formatShownPath(shownDir);
}
