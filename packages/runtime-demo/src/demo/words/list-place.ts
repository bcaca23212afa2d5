import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { type FileListing, type ListedFile, parseFileListing } from "./file-listing.ts";

/** As deep as `list_files` goes. */
const LISTING_DEPTH = 32;
const SUGGESTED_FOLDERS = 8;

export type ListedPlace =
  | { readonly kind: "refused"; readonly reason: string }
  | ({ readonly kind: "listed" } & FileListing);

/** The files below a directory of the workspace, or the one file that it is. */
export async function listPlace(turn: LiveTurn, dir: string): Promise<ListedPlace> {
  const listed = await turn.callTool("list_files", { dir, depth: LISTING_DEPTH });
  if (!listed.isError) return { kind: "listed", ...parseFileListing(listed.text) };
  if (!/\bno directory\b/u.test(listed.text)) return { kind: "refused", reason: listed.text };
  // Its size is known when it is read.
  const file: ListedFile = { path: dir, bytes: 0 };
  return { kind: "listed", files: [file], folders: [], notices: [] };
}

/** The folders that could be counted instead; nothing where there are none. */
export async function suggestFolders(turn: LiveTurn): Promise<string> {
  const listed = await turn.callTool("list_files", { dir: ".", depth: 1 });
  const [first, ...more] = listed.isError ? [] : parseFileListing(listed.text).folders.slice(0, SUGGESTED_FOLDERS);
  if (first === undefined) return "";
  return `\nFolders here: ${[first, ...more].join(" ")} Try: count words in ${first.slice(0, -1)}`;
}

/** Such as `[12 hidden]` for people. */
export function formatNotice(notice: string): string {
  return `${notice.charAt(0).toUpperCase()}${notice.slice(1)}.`;
}

/** How a place is called: a file by its path, a folder with a slash. */
export function formatPlace(dir: string, files: readonly ListedFile[] = []): string {
  if (dir === ".") return "the workspace";
  return files.some(({ path }) => path === dir) ? dir : `${dir}/`;
}
