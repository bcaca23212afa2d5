import { findImportedPath, listImports, readSources } from "./source-file.ts";

/** A file with at most this many lines is short. */
const SHORT_LINES = 40;

/** Lists short files that only one other file imports; each may belong in that file. `pnpm check` only reports them. */
export function listLoneFiles(): readonly string[] {
  const sources = readSources();
  const importers = new Map<string, Set<string>>();
  for (const file of sources) {
    for (const specifier of listImports(file)) {
      const path = findImportedPath(file, specifier);
      if (path !== undefined) importers.set(path, (importers.get(path) ?? new Set()).add(file.path));
    }
  }
  return sources
    .filter(({ path, text }) => text.split("\n").length <= SHORT_LINES && importers.get(path)?.size === 1)
    .map(({ path }) => path);
}
