import { formatShownPath } from "../../ports/shown-path.ts";
import type { SkipReason, Walk, WalkedEntry } from "./directory-walk.ts";

/** The notices at the end are short and few; so much of the output limit is kept for them. */
const NOTICE_ROOM_BYTES = 1000;

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  hidden: "hidden",
  node_modules: "node_modules",
  blocked: "kept from tools",
  special: "pipe, socket or device",
  unreadable: "unreadable",
};

/**
 * The answer of `list_files`: a file is `path<TAB>bytes`, a directory `path/`, a link `path@`, a notice stands in
 * brackets. A path with unusual characters is a JSON string. The demo agent reads these lines.
 */
export function formatListing(shownDir: string, walk: Walk, limitBytes: number): string {
  const lines: string[] = [];
  let roomBytes = limitBytes - NOTICE_ROOM_BYTES;
  for (const entry of walk.entries) {
    const line = formatEntry(entry);
    roomBytes -= Buffer.byteLength(line) + 1;
    if (roomBytes < 0) break;
    lines.push(line);
  }
  return [...lines, ...noticesOf(shownDir, walk, lines.length)].join("\n");
}

function formatEntry(entry: WalkedEntry): string {
  const path = formatShownPath(entry.shownPath);
  if (entry.kind === "file") return `${path}\t${entry.bytes}`;
  return entry.kind === "directory" ? `${path}/` : `${path}@`;
}

function noticesOf(shownDir: string, walk: Walk, shown: number): string[] {
  const notices: string[] = [];
  if (walk.entries.length === 0) notices.push("nothing to show here");
  const skipped = [...walk.skipped].map(([reason, count]) => `${count} ${SKIPPED[reason]}`).sort();
  if (skipped.length > 0) notices.push(`skipped: ${skipped.join(", ")}`);
  if (walk.isDeeper) notices.push("there are deeper directories; ask with a larger depth, or for one of them");
  const isCut = walk.cutBy !== undefined || shown < walk.entries.length;
  if (isCut) notices.push(`cut after ${shown} entries: there are more; ask for a directory below ${placeOf(shownDir)}`);
  return notices.map((notice) => `[${notice}]`);
}

function placeOf(shownDir: string): string {
  return shownDir === "." ? "this one" : formatShownPath(shownDir);
}
