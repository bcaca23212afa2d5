import type { Dirent } from "node:fs";
import { lstat, opendir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { parseSystemFailure } from "../system-failure.ts";
import type { WorkspacePath } from "./workspace-path.ts";

/** Names looked at in one listing, skipped ones included: some directories hold millions. */
export const WALK_LIMIT_NAMES = 50_000;

export interface WalkLimits {
  /** 1 is the directory alone. */
  readonly depth: number;
  readonly entries: number;
  readonly names: number;
}

export type WalkedEntry =
  | { readonly kind: "file"; readonly shownPath: string; readonly bytes: number }
  | { readonly kind: "directory" | "link"; readonly shownPath: string };

/** Why an entry is not shown. `special` is a pipe, socket or device. */
export type SkipReason = "hidden" | "node_modules" | "blocked" | "special" | "unreadable";

export interface Walk {
  /** Depth first, names in the order of their code units: the same tree is always the same list. */
  readonly entries: readonly WalkedEntry[];
  readonly skipped: ReadonlyMap<SkipReason, number>;
  /** Whether a directory lies below the depth and was not entered. */
  readonly isDeeper: boolean;
  /** Which limit ended the walk. */
  readonly cutBy?: "entries" | "names";
}

/** Walks a directory without following links, so it can neither leave nor circle. */
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

  /** All names of a directory in order, or as many as the walk may still look at. */
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
    // Replaced by a link while it was read: what it showed may lie outside.
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

  /** One entry that vanishes or is forbidden does not end the walk. */
  async #unlessUnreadable(add: () => Promise<void>): Promise<void> {
    try {
      await add();
    } catch (cause) {
      if (parseSystemFailure(cause) === undefined) throw cause;
      this.#skip("unreadable");
    }
  }
}
