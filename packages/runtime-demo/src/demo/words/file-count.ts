import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import type { ListedFile } from "./file-listing.ts";
import { parseFilePage } from "./file-page.ts";
import { WordCounter } from "./word-counter.ts";

/** Larger files are rarely prose, and each page of one is a tool call that is stored. */
const COUNTED_FILE_LIMIT_BYTES: number = 1024 * 1024;

export type FileCount =
  | { readonly kind: "words"; readonly path: string; readonly words: number }
  | { readonly kind: "too large" | "binary" | "unreadable" };

/** Counts one file through `read_file`, page by page. The same results in a later attempt lead to the same calls. */
export async function countFile(turn: LiveTurn, file: ListedFile): Promise<FileCount> {
  if (file.bytes > COUNTED_FILE_LIMIT_BYTES) return { kind: "too large" };
  const counter = new WordCounter();
  for (let offset = 0; ; ) {
    const args = offset === 0 ? { path: file.path } : { path: file.path, offset };
    const result = await turn.callTool("read_file", args);
    if (result.isError) return { kind: /\bbinary\b/u.test(result.text) ? "binary" : "unreadable" };
    const page = parseFilePage(result.text);
    if (page === undefined) return { kind: "unreadable" };
    counter.add(page.text);
    if (page.to >= page.of) return { kind: "words", path: file.path, words: counter.words };
    // A file that grows, or a page that does not advance, would never end.
    if (page.to <= offset) return { kind: "unreadable" };
    if (page.to > COUNTED_FILE_LIMIT_BYTES) return { kind: "too large" };
    offset = page.to;
  }
}
