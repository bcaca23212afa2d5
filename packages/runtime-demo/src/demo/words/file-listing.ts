export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
}

/** The answer of the tool `list_files`, as far as a count needs it. */
export interface FileListing {
  readonly files: readonly ListedFile[];
  /** Ending with a slash. */
  readonly folders: readonly string[];
  /** What the tool left out, in its own words. */
  readonly notices: readonly string[];
}

/**
 * Reads the lines of `list_files`: a file is `path<TAB>bytes`, with the path as a JSON string where it holds unusual
 * characters; a notice stands in brackets; a directory ends with a slash; other lines are links.
 */
export function parseFileListing(text: string): FileListing {
  const files: ListedFile[] = [];
  const folders: string[] = [];
  const notices: string[] = [];
  for (const line of text.split("\n")) {
    const file = /^([^\t]+)\t(\d+)$/u.exec(line);
    const path = plainPath(file?.[1] ?? "");
    const notice = /^\[(.*)\]$/u.exec(line)?.[1];
    if (file !== null && path !== undefined) files.push({ path, bytes: Number(file[2]) });
    else if (line.endsWith("/")) folders.push(line);
    else if (notice !== undefined) notices.push(notice);
  }
  return { files, folders, notices };
}

function plainPath(written: string): string | undefined {
  if (!written.startsWith('"')) return written === "" ? undefined : written;
  try {
    const path: unknown = JSON.parse(written);
    return typeof path === "string" ? path : undefined;
  } catch (cause) {
    // Not one of the tool's lines, so no file.
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
